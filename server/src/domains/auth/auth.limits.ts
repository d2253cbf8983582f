import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'
import { addressKey } from '../../platform/limits/address-key.ts'
import { forgetTries, giveTryBack, takeTry, triesKept } from '../../platform/limits/tries.ts'
import { usernameKey } from '../../platform/security/usernames.ts'

/**
 * Failures that cost nothing yet. `account`: of an account from one network, or at a device. `everywhere`: of an account
 * from all networks, so that a crowd cannot guess on. `address`: of whatever accounts from one network, a whole office.
 */
const free = { account: 5, everywhere: 100, address: 50 } as const

/** Somebody who signs in. `device`: one that this account has signed in from before, as its hash. */
export interface Trying {
  username: string
  address: string
  device: Buffer | null
}

/** Whoever comes from a known device is counted by it alone: nobody else's wrong passwords hold them back. */
function keysOf({ username, address, device }: Trying): [string, number][] {
  if (device !== null) return [[`device:${device.toString('base64url')}`, free.account]]
  const [name, network] = [usernameKey(username), addressKey(address)]
  return [
    [`address:${network}`, free.address],
    [`account:${name}@${network}`, free.account],
    [`account:${name}`, free.everywhere],
  ]
}

/** Takes one try at signing in, whether or not the account exists; see {@link takeTry}. Errors: 429. */
export async function takeSignIn(pool: pg.Pool, trying: Trying): Promise<void> {
  for (const [key, most] of keysOf(trying)) await takeTry(pool, key, most)
}

/** After a success: the account starts afresh at this network or device; what others share gets this try back. */
export async function clearTries(pool: pg.Pool, trying: Trying): Promise<void> {
  for (const [key, most] of keysOf(trying)) {
    if (most === free.account) await forgetTries(pool, key)
    else await giveTryBack(pool, key, most)
  }
}

/** After a right password to which the code of the second factor is still to come: it was no failure. */
export async function giveSignInBack(pool: pg.Pool, trying: Trying): Promise<void> {
  for (const [key, most] of keysOf(trying)) await giveTryBack(pool, key, most)
}

// By the session: what others fail at holds back nobody who proves who they are, and the other way round.
const proofKey = (sessionId: number) => `proof:${sessionId}`

/** Takes one try at the password of a session's person. Errors: 429. */
export const takeProof = (pool: pg.Pool, sessionId: number): Promise<void> =>
  takeTry(pool, proofKey(sessionId), free.account)

/** After a right password. */
export const forgetProofs = (pool: pg.Pool, sessionId: number): Promise<void> =>
  forgetTries(pool, proofKey(sessionId))

// Counted apart from the account's tries, which a right password forgets: it must not allow further guesses here.
const codeKey = (userId: number) => `second-factor:${userId}`

/** Takes one try at a code of a person's second factor, wherever it is asked for. Errors: 429. */
export const takeCodeTry = (pool: pg.Pool, userId: number): Promise<void> =>
  takeTry(pool, codeKey(userId), free.account)

/** After a right code. */
export const forgetCodeTries = (pool: pg.Pool, userId: number): Promise<void> =>
  forgetTries(pool, codeKey(userId))

/** Lets a person sign in at once, whatever they or others failed at. */
export async function forgetAllTries(db: Db, userId: number, username: string): Promise<void> {
  const name = `account:${usernameKey(username)}`
  await db
    .deleteFrom('sign_in_failures')
    .where((e) =>
      e.or([
        e('key', 'in', [name, codeKey(userId)]),
        e(e.fn('starts_with', ['key', e.val(`${name}@`)]), '=', true),
      ]),
    )
    .execute()
}

/** Removes what no longer limits anybody, and sessions that are over. For a timer. */
export async function prune(pool: pg.Pool, idleDays: number): Promise<void> {
  await pool.query(
    `delete from sign_in_failures where last_at < now() - make_interval(secs => $1::int)
    and (blocked_until is null or blocked_until < now())`,
    [triesKept],
  )
  await pool.query(
    `delete from sessions where expires_at < now() or last_used_at < now() - make_interval(days => $1::int)`,
    [idleDays],
  )
  await pool.query(`delete from known_devices where last_at < now() - interval '180 days'`)
}
