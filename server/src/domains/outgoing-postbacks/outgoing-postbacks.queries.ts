import { toLikePattern } from '../../resources/crud.queries.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { totalRowsSql } from '../../resources/lists.answer.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import type { RowRange } from '../../platform/http/paging.ts'

/** The JSON of an outgoing postback, from the row `o`. */
export const outgoingPostbackItem = `json_build_object('id', o.id, 'created_at', o.created_at,
  'template', (select json_build_object('id', t.id, 'name', t.name) from postback_templates t where t.id = o.template_id),
  'lead', (select json_build_object('id', l.id, 'external_id', l.external_id) from leads l where l.id = o.lead_id),
  'source_status', o.source_status, 'state', o.state, 'url', o.url, 'status', o.status, 'attempts', o.attempts, 'answer', o.answer,
  'last_error', o.last_error, 'next_at', case when o.status = 'queued' then o.next_at end, 'sent_at', o.sent_at)`

const sortable = {
  id: 'o.id',
  created_at: 'o.created_at',
  status: 'o.status',
  attempts: 'o.attempts',
  sent_at: 'o.sent_at',
}

interface OutgoingPostbackQuery {
  status?: string
  template_id?: number
  lead_id?: number
  start_date?: string
  end_date?: string
  search?: string
  sort?: string
}

/** The statement of the list. It returns one row for a page, one row per item for an export. */
export function outgoingPostbackListText(query: OutgoingPostbackQuery, span: RowRange): Statement {
  const where = new Where()
  const search = query.search?.trim() || undefined
  where
    .and('o.status = ?', query.status)
    .and('o.template_id = ?', query.template_id)
    .and('o.lead_id = ?', query.lead_id)
    .and('o.created_at >= ?::date', query.start_date)
    .and('o.created_at < ?::date + 1', query.end_date)
    .and(
      'o.lead_id in (select id from leads where external_id like ?)',
      search && toLikePattern(search).slice(1),
    )
  const order = buildOrderBy(sortable, query.sort, '-created_at', 'o.id')
  const condition = where.toString()
  if (span === 'all') {
    const text = `select (${outgoingPostbackItem})::text as item from outgoing_postbacks o where ${condition} ${order}`
    return { text, values: where.values }
  }
  const text = `with page as materialized (
      select o.* from outgoing_postbacks o where ${condition} ${order}
      limit ${where.addParameter(span.size)} offset ${where.addParameter(span.offset)}
    )
    select coalesce(json_agg(${outgoingPostbackItem} ${order}), '[]')::text as items, count(*) as count,
      ${where.hasConditions ? `(select count(*) from outgoing_postbacks o where ${condition})` : totalRowsSql('outgoing_postbacks')} as filtered,
      ${totalRowsSql('outgoing_postbacks')} as total from page o`
  return { text, values: where.values }
}
