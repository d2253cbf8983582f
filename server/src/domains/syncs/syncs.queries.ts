import type { listSyncRuns } from '@karvon/contract/syncs/syncs.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'
import { failuresBeforePause, type AccountColumn } from './syncs.kind.ts'
import { runColumns } from './syncs.health.queries.ts'

type RunQuery = QueryOf<typeof listSyncRuns>

const columns = `${runColumns}, r.source_credential_id,
  ${buildNamedJson('source_credentials', 'r.source_credential_id')} as source_credential, r.courier_account_id,
  ${buildNamedJson('courier_accounts', 'r.courier_account_id')} as courier_account`

const hasMatchingName = (table: string, id: string) =>
  `exists (select from ${table} a where a.id = ${id} and a.name ~* ?)`

const searchCondition = `(r.error ~* ? or ${hasMatchingName('source_credentials', 'r.source_credential_id')}
  or ${hasMatchingName('courier_accounts', 'r.courier_account_id')})`

/** The list of runs. The period's days are inclusive. `search` matches the error and the account's name. */
export function buildRunList(query: RunQuery): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  return {
    table: 'sync_runs',
    alias: 'r',
    item: { columns },
    where: new Where()
      .andEqual({ id: 'r.id', started_at: 'r.started_at', finished_at: 'r.finished_at' }, query)
      .and('r.source_credential_id = ?', query.source_credential_id)
      .and('r.courier_account_id = ?', query.courier_account_id)
      .and('r.status = ?', query.status)
      .andDays('r.started_at', query)
      .and(searchCondition, pattern, pattern, pattern),
    order: buildOrderBy({
      columns: { id: 'r.id', started_at: 'r.started_at' },
      sort: query.sort,
      defaultSort: '-id',
      tieBreaker: 'r.id',
    }),
  }
}

/** Clears the gap of a source credential. Answers the old gap in a row; no row for an unknown credential. */
export const clearGap = (db: Db, credentialId: number) =>
  sql<{ gap_from: string | null; gap_to: string | null }>`
    with old as (
      select c.id, s.id as state, s.gap_from, s.gap_to from source_credentials c
      left join sync_states s on s.source_credential_id = c.id where c.id = ${credentialId} for update of c
    ), closed as (
      update sync_states set gap_from = null, gap_to = null where id = (select state from old)
    )
    select gap_from, gap_to from old`.execute(db)

interface FormerAccount {
  column: AccountColumn
  account: number
  /** Keeps a pause that the other side requires. */
  keepsRequiredPause: boolean
}

/** Forgets the balance, the hold, the failures and the pause of an account that is another one from now on. */
export async function clearAccountState(
  trx: Db,
  { column, account, keepsRequiredPause }: FormerAccount,
): Promise<void> {
  const staysPaused = sql`(is_rate_limited and ${keepsRequiredPause}::boolean)`
  await sql`
    update sync_states set balance = null, hold = null, money_at = null, failures = 0,
      paused_until = case when ${staysPaused} then paused_until end,
      pause_reason = case when ${staysPaused} then pause_reason end, is_rate_limited = ${staysPaused}
    where ${sql.ref(column)} = ${account}`.execute(trx)
}

/** The health of the active accounts of a kind. Times are in seconds. */
interface AccountsHealth {
  paused: number
  /** Since the oldest of their last complete runs. */
  lag: number
  /** How long the account that has been due longest waits for its run. */
  wait: number
}

/** Measures the health of the active accounts of a kind. */
export async function measureAccounts(
  db: Db,
  column: AccountColumn,
  active: readonly number[],
): Promise<AccountsHealth> {
  const { rows } = await sql<AccountsHealth>`
    select count(*) filter (where failures >= ${failuresBeforePause} and paused_until > now())::integer as paused,
      coalesce(extract(epoch from now() - min(last_success_at)), 0)::float8 as lag,
      coalesce(extract(epoch from now() - min(due_at) filter (where due_at <= now())), 0)::float8 as wait
    from sync_states, greatest(next_run_at, leased_until, paused_until) as due_at
    where ${sql.ref(column)} = any(${active}::bigint[])`.execute(db)
  return rows[0] ?? { paused: 0, lag: 0, wait: 0 }
}

/** The active accounts with the oldest complete runs, `limit` at most: seconds since this run, and failures since. */
export async function listLaggingAccounts(
  db: Db,
  column: AccountColumn,
  { active, limit }: { active: readonly number[]; limit: number },
): Promise<{ account: number; lag: number; failures: number }[]> {
  const { rows } = await sql<{ account: number; lag: number; failures: number }>`
    select ${sql.ref(column)} as account, extract(epoch from now() - last_success_at)::float8 as lag, failures
    from sync_states where ${sql.ref(column)} = any(${active}::bigint[])
    order by last_success_at, id limit ${limit}`.execute(db)
  return rows
}
