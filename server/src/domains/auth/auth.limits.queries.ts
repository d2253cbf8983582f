import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'
import { attemptRetentionSeconds } from '../../platform/limits/attempt-limiter.ts'

/** Deletes the counters with the keys, and those of the account at each network. `account` is its key without a network. */
export async function deleteAttempts(
  db: Db,
  { account, keys }: { account: string; keys: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where((e) =>
      e.or([
        e('key', 'in', [account, ...keys]),
        e(e.fn('starts_with', ['key', e.val(`${account}@`)]), '=', true),
      ]),
    )
    .execute()
}

/** Deletes expired counters, expired sessions and devices without a sign-in for 180 days. */
export async function pruneSignInData(pool: pg.Pool, idleDays: number): Promise<void> {
  await pool.query(
    `delete from sign_in_failures where last_at < now() - make_interval(secs => $1::int)
    and (blocked_until is null or blocked_until < now())`,
    [attemptRetentionSeconds],
  )
  await pool.query(
    `delete from sessions where expires_at < now() or last_used_at < now() - make_interval(days => $1::int)`,
    [idleDays],
  )
  await pool.query(`delete from known_devices where last_at < now() - interval '180 days'`)
}
