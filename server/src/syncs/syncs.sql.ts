import type { Statement } from '../kit/exports/exports.rows.ts'
import { allRows } from '../kit/lists/lists.answer.ts'
import { orderBy, Where } from '../kit/lists/lists.where.ts'
import type { Span } from '../kit/paging.ts'
import { runColumns } from '../kit/syncs/syncs.health.sql.ts'

interface RunQuery {
  source_credential_id?: number
  courier_account_id?: number
  status?: string
  start_date?: string
  end_date?: string
  sort?: string
}

const named = (table: string, key: string) =>
  `(select json_build_object('id', a.id, 'name', a.name) from ${table} a where a.id = r.${key})`

const columns = `${runColumns}, r.source_credential_id,
  ${named('source_credentials', 'source_credential_id')} as source_credential, r.courier_account_id,
  ${named('courier_accounts', 'courier_account_id')} as courier_account`

/** The list of runs as one statement of one row; for all of them, a row an item. The period's days are inclusive. */
export function runListText(query: RunQuery, span: Span): Statement {
  const where = new Where()
    .and('r.source_credential_id = ?', query.source_credential_id)
    .and('r.courier_account_id = ?', query.courier_account_id)
    .and('r.status = ?', query.status)
    .and('r.started_at >= ?::date', query.start_date)
    .and('r.started_at < ?::date + 1', query.end_date)
  const matching = where.toString()
  const filtered = where.any ? `(select count(*) from sync_runs r where ${matching})` : 'total'
  const order = orderBy({ id: 'r.id', started_at: 'r.started_at' }, query.sort, '-id', 'r.id')
  if (span === 'all') {
    const rows = `select ${columns} from sync_runs r where ${matching} ${order}`
    return { text: `select row_to_json(j)::text as item from (${rows}) j`, values: where.values }
  }
  const text = `with page as (
      select ${columns} from sync_runs r where ${matching} ${order}
      limit ${where.value(span.size)} offset ${where.value(span.offset)}
    )
    select items, count, total, ${filtered} as filtered
    from (select count(*) as count, coalesce(json_agg(row_to_json(page)), '[]')::text as items from page) i,
      (select ${allRows('sync_runs')} as total) t`
  return { text, values: where.values }
}
