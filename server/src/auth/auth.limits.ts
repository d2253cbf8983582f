import type pg from 'pg'
import { addressKey } from '../kit/address-key.ts'
import { forgetTries, giveTryBack, takeTry, triesForgottenAfter } from '../kit/tries.ts'

/** Failures that cost nothing yet. An address stands for a whole office, an account for one person. */
const free = { account: 5, address: 50 } as const

const keys = (username: string, address: string) => ({
  account: `account:${username.toLowerCase()}`,
  address: `address:${addressKey(address)}`,
})

/**
 * Takes one try at signing in, for the address and then the account, whether or not the account exists; see
 * {@link takeTry}. Errors: 429.
 */
export async function takeSignIn(pool: pg.Pool, username: string, address: string): Promise<void> {
  const key = keys(username, address)
  await takeTry(pool, key.address, free.address)
  await takeTry(pool, key.account, free.account)
}

/** After a success: the account starts afresh, the address gets this try back. */
export async function clearTries(pool: pg.Pool, username: string, address: string): Promise<void> {
  const key = keys(username, address)
  await forgetTries(pool, key.account)
  await giveTryBack(pool, key.address, free.address)
}

/** After a right password to which the code of the second factor is still to come: it was no failure. */
export async function giveSignInBack(pool: pg.Pool, username: string, address: string): Promise<void> {
  const key = keys(username, address)
  await giveTryBack(pool, key.account, free.account)
  await giveTryBack(pool, key.address, free.address)
}

// Counted apart from the account's tries, which a right password forgets: it must not allow further guesses here.
const codeKey = (userId: number) => `second-factor:${userId}`

/** Takes one try at a code of a person's second factor, wherever it is asked for. Errors: 429. */
export const takeCodeTry = (pool: pg.Pool, userId: number): Promise<void> =>
  takeTry(pool, codeKey(userId), free.account)

/** After a right code. */
export const forgetCodeTries = (pool: pg.Pool, userId: number): Promise<void> =>
  forgetTries(pool, codeKey(userId))

/** What holds a person back, by whatever they failed at. */
export const triesOf = (userId: number, username: string): string[] => [
  keys(username, '').account,
  codeKey(userId),
]

/** Removes what no longer limits anybody, and sessions that are over. For a timer. */
export async function prune(pool: pg.Pool, idleDays: number): Promise<void> {
  await pool.query(
    `delete from sign_in_failures where last_at < now() - make_interval(secs => $1::int)
    and (blocked_until is null or blocked_until < now())`,
    [triesForgottenAfter],
  )
  await pool.query(
    `delete from sessions where expires_at < now() or last_used_at < now() - make_interval(days => $1::int)`,
    [idleDays],
  )
}
