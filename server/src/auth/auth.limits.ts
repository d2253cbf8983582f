import type pg from 'pg'
import { AppError } from '../kit/errors.ts'

/** Failures that cost nothing yet. An address stands for a whole office, an account for one person. */
const free = { account: 5, address: 50 } as const
/** Seconds. */
const longest = 300
const forgottenAfter = 3600

type Kind = keyof typeof free
const keyOf = (kind: Kind, name: string) => `${kind}:${name}`

/**
 * Takes one try at signing in, for the address and then the account, whether or not the account exists.
 * A try counts as a failure from the start, so that tries at the same moment cannot slip through;
 * {@link clearTries} takes it back. Errors: 429 with Retry-After growing 1, 2, 4 ... 300 s.
 */
export async function takeTry(pool: pg.Pool, username: string, address: string): Promise<void> {
  await take(pool, 'address', address)
  await take(pool, 'account', username.toLowerCase())
}

async function take(pool: pg.Pool, kind: Kind, name: string): Promise<void> {
  const values = [keyOf(kind, name), free[kind], longest, forgottenAfter]
  const taken = await pool.query({ name: 'take_try', text: takeText, values })
  if (taken.rowCount === 1) return
  const left = await pool.query<{ seconds: number }>(leftText, [values[0]])
  // The block may have ended between the two statements.
  const retryAfter = Math.max(1, left.rows[0]?.seconds ?? 1)
  throw new AppError('too_many_requests', `Too many failed attempts. Try again in ${retryAfter} s.`, {
    retryAfter,
  })
}

// Answers no row while the key is blocked. failures is how many there are with this one.
const counted = `case when f.last_at < now() - make_interval(secs => $4::int) then 1 else f.failures + 1 end`
const takeText = `insert into sign_in_failures as f (key, failures, last_at, blocked_until)
  values ($1, 1, now(), case when $2::int <= 1 then now() + interval '1 second' end)
  on conflict (key) do update set last_at = now(), failures = ${counted},
    blocked_until = case when ${counted} >= $2::int
      then now() + make_interval(secs => least($3::int, power(2, least(${counted} - $2::int, 20)))) end
    where f.blocked_until is null or f.blocked_until <= now()
  returning f.key`
const leftText = `select ceil(extract(epoch from blocked_until - now()))::int as seconds
  from sign_in_failures where key = $1`

/** After a success: the account starts afresh, the address gets this try back. */
export async function clearTries(pool: pg.Pool, username: string, address: string): Promise<void> {
  await pool.query('delete from sign_in_failures where key = $1', [keyOf('account', username.toLowerCase())])
  await pool.query(
    `update sign_in_failures set failures = greatest(failures - 1, 0),
       blocked_until = case when failures - 1 >= $2 then blocked_until end where key = $1`,
    [keyOf('address', address), free.address],
  )
}

/** Removes what no longer limits anybody, and sessions that are over. For a timer. */
export async function prune(pool: pg.Pool, idleDays: number): Promise<void> {
  await pool.query(
    `delete from sign_in_failures where last_at < now() - make_interval(secs => $1::int)
    and (blocked_until is null or blocked_until < now())`,
    [forgottenAfter],
  )
  await pool.query(
    `delete from sessions where expires_at < now() or last_used_at < now() - make_interval(days => $1::int)`,
    [idleDays],
  )
}
