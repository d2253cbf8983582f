import type pg from 'pg'
import { AppError } from '../http/errors.ts'

/** Seconds: the longest wait, and after how long without a failure all are forgotten. */
export interface TryLimits {
  longest: number
  forgottenAfter: number
}
const usual: TryLimits = { longest: 300, forgottenAfter: 3600 }
/** Seconds for which the failures of any key are kept. */
export const triesKept = 86_400

/**
 * Takes one try for `key`, of which `free` may fail before anybody has to wait. A try counts as a failure from
 * the start, so that tries at the same moment cannot slip through; {@link giveTryBack} takes it back. Holds
 * across processes and restarts. Errors: 429 with Retry-After growing 1, 2, 4 ... `longest` s.
 */
export async function takeTry(
  pool: pg.Pool,
  key: string,
  free: number,
  { longest, forgottenAfter }: TryLimits = usual,
): Promise<void> {
  const taken = await pool.query({
    name: 'take_try',
    text: takeText,
    values: [key, free, longest, forgottenAfter],
  })
  if (taken.rowCount === 1) return
  const left = await pool.query<{ seconds: number }>(leftText, [key])
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

/** After a success of somebody whose key others share (an address): this one try did not fail. */
export async function giveTryBack(pool: pg.Pool, key: string, free: number): Promise<void> {
  await pool.query(
    `update sign_in_failures set failures = greatest(failures - 1, 0),
       blocked_until = case when failures - 1 >= $2 then blocked_until end where key = $1`,
    [key, free],
  )
}

/** After a success of the one whom the key stands for: it starts afresh. */
export async function forgetTries(pool: pg.Pool, key: string): Promise<void> {
  await pool.query('delete from sign_in_failures where key = $1', [key])
}
