import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/**
 * The inclusive days of the acts to read: from the oldest unpaid act, a month before the newest one or before today,
 * whichever is oldest; a year at most, and a year at first.
 */
export async function readActPeriod(db: Db, accountId: number): Promise<{ from: string; to: string }> {
  const { rows } = await sql<{ from: string; to: string }>`
    select case when count(*) = 0 then current_date - 366 else greatest(current_date - 366,
        least(current_date - 31, max(act_date) - 31, min(act_date) filter (where paid_at is null))) end as from,
      current_date + 1 as to
    from settlement_acts where courier_account_id = ${accountId} and code is not null`.execute(db)
  const [period] = rows
  if (period === undefined) throw new Error('An aggregate has one row')
  return period
}

/** The hashes of the list entries of paid acts, by code. */
export async function findPaidActHashes(db: Db, accountId: number): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('settlement_acts')
    .select(['code', 'header_hash'])
    .where('courier_account_id', '=', accountId)
    .where('paid_at', 'is not', null)
    .where('act_date', '>=', sql<string>`current_date - 400`)
    .execute()
  return new Map(
    rows.flatMap(({ code, header_hash }) =>
      code === null || header_hash === null ? [] : [[code, header_hash] as const],
    ),
  )
}

/**
 * Marks the acts of a period that the courier does not list, and removes the mark of those that it lists. `codes`: of all acts of
 * its list of the period. The caller has locked the account.
 */
export async function updateUnlistedMarks(
  trx: Db,
  { accountId, from, to, codes }: { accountId: number; from: string; to: string; codes: readonly string[] },
): Promise<void> {
  await sql`
    update settlement_acts
    set unlisted_at = case when unlisted_at is null then now() end, updated_at = now()
    where courier_account_id = ${accountId} and case
      when code = any(${codes}::text[]) then unlisted_at is not null
      else code is not null and unlisted_at is null and act_date between ${from}::date and ${to}::date end`.execute(
    trx,
  )
}
