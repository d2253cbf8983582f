import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { totalRowsSql } from '../../resources/lists.answer.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import type { RowRange } from '../../platform/http/paging.ts'
import { runColumns } from './syncs.health.queries.ts'

interface RunQuery {
  source_credential_id?: number
  courier_account_id?: number
  status?: string
  start_date?: string
  end_date?: string
  sort?: string
}

const accountJson = (table: string, key: string) =>
  `(select json_build_object('id', a.id, 'name', a.name) from ${table} a where a.id = r.${key})`

const columns = `${runColumns}, r.source_credential_id,
  ${accountJson('source_credentials', 'source_credential_id')} as source_credential, r.courier_account_id,
  ${accountJson('courier_accounts', 'courier_account_id')} as courier_account`

/** The list of runs as one statement of one row; for all of them, a row an item. The period's days are inclusive. */
export function runListText(query: RunQuery, span: RowRange): Statement {
  const where = new Where()
    .and('r.source_credential_id = ?', query.source_credential_id)
    .and('r.courier_account_id = ?', query.courier_account_id)
    .and('r.status = ?', query.status)
    .and('r.started_at >= ?::date', query.start_date)
    .and('r.started_at < ?::date + 1', query.end_date)
  const matching = where.toString()
  const filtered = where.hasConditions ? `(select count(*) from sync_runs r where ${matching})` : 'total'
  const order = buildOrderBy({ id: 'r.id', started_at: 'r.started_at' }, query.sort, '-id', 'r.id')
  if (span === 'all') {
    const rows = `select ${columns} from sync_runs r where ${matching} ${order}`
    return { text: `select row_to_json(j)::text as item from (${rows}) j`, values: where.values }
  }
  const text = `with page as (
      select ${columns} from sync_runs r where ${matching} ${order}
      limit ${where.addParameter(span.size)} offset ${where.addParameter(span.offset)}
    )
    select items, count, total, ${filtered} as filtered
    from (select count(*) as count, coalesce(json_agg(row_to_json(page)), '[]')::text as items from page) i,
      (select ${totalRowsSql('sync_runs')} as total) t`
  return { text, values: where.values }
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
