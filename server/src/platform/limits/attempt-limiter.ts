import type pg from 'pg'
import { AppError } from '../http/errors.ts'

export interface AttemptLimits {
  /** The longest block of a key. */
  maxWaitSeconds: number
  /** The time in which `maxFreeFailures` failures are forgiven, evenly. */
  forgetAfterSeconds: number
  /** The code of the 429. */
  code: 'too_many_failed_attempts' | 'too_many_requests'
}
const defaultLimits: AttemptLimits = {
  maxWaitSeconds: 300,
  forgetAfterSeconds: 3600,
  code: 'too_many_failed_attempts',
}
/** How long the failures of a key stay in the database. */
export const attemptRetentionSeconds = 86_400

export interface AttemptKey extends Partial<AttemptLimits> {
  key: string
  maxFreeFailures: number
}

/**
 * Counts an attempt of a key. Failure number `maxFreeFailures` and each further one block the key, with exponential
 * backoff. An attempt counts as a failure from the start, so that parallel attempts cannot pass the limit; {@link
 * refundAttempt} or {@link clearAttempts} removes it after a success. The count is in the database, for all processes.
 * Errors: 429 with Retry-After of 1, 2, 4 ... `maxWaitSeconds` s.
 */
export async function countAttempt(pool: pg.Pool, attempt: AttemptKey): Promise<void> {
  const { key, maxFreeFailures, maxWaitSeconds, forgetAfterSeconds, code } = { ...defaultLimits, ...attempt }
  const result = await pool.query({
    name: 'count_attempt',
    text: countSql,
    values: [key, maxFreeFailures, maxWaitSeconds, forgetAfterSeconds],
  })
  if (result.rowCount === 1) return
  const block = await pool.query<{ seconds: number }>(blockSql, [key])
  // The block may have ended between the two statements.
  const retryAfter = Math.max(1, block.rows[0]?.seconds ?? 1)
  throw new AppError(code, { seconds: retryAfter }, { retryAfter })
}

/**
 * Counts an attempt of several keys. If one of them is blocked, it counts for none: nothing was guessed. Errors: those of
 * {@link countAttempt}.
 */
export async function countAttempts(pool: pg.Pool, attempts: readonly AttemptKey[]): Promise<void> {
  for (const [index, attempt] of attempts.entries()) {
    try {
      await countAttempt(pool, attempt)
    } catch (error) {
      for (const { key } of attempts.slice(0, index)) await refundAttempt(pool, key)
      throw error
    }
  }
}

// The count has decimals, because it decreases all the time. Its bound lets a key recover soon after a long attack.
const failures = `least($2::int + 20, 1
  + greatest(f.failures - greatest(extract(epoch from now() - f.last_at), 0) * $2::int / $4::int, 0))`
// Returns no row while the key is blocked. `failures` includes this attempt.
const countSql = `insert into sign_in_failures as f (key, failures, last_at, blocked_until)
  values ($1, 1, now(), case when $2::int <= 1 then now() + interval '1 second' end)
  on conflict (key) do update set last_at = now(), failures = ${failures},
    blocked_until = case when ceil(${failures}) >= $2::int
      then now() + make_interval(secs => least($3::int, power(2, ceil(${failures})::int - $2::int))) end
    where f.blocked_until is null or f.blocked_until <= now()
  returning f.key`
const blockSql = `select ceil(extract(epoch from blocked_until - now()))::int as seconds
  from sign_in_failures where key = $1`

/**
 * Removes one attempt that succeeded, with the block that it began: no other attempt was counted during the block. For keys
 * that several people share, such as an address.
 */
export async function refundAttempt(pool: pg.Pool, key: string): Promise<void> {
  await pool.query(
    'update sign_in_failures set failures = greatest(failures - 1, 0), blocked_until = null where key = $1',
    [key],
  )
}

/** Clears all failures of a key after a success. For keys of a single person. */
export async function clearAttempts(pool: pg.Pool, key: string): Promise<void> {
  await pool.query('delete from sign_in_failures where key = $1', [key])
}
