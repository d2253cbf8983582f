import { containing } from '../../resources/crud.queries.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { allRows } from '../../resources/lists.answer.ts'
import { orderBy, Where } from '../../resources/lists.where.ts'
import type { Span } from '../../platform/http/paging.ts'

/** A postback as the wire answers it, from the row `o`. */
export const postbackItem = `json_build_object('id', o.id, 'created_at', o.created_at,
  'template', (select json_build_object('id', t.id, 'name', t.name) from postback_templates t where t.id = o.template_id),
  'lead', (select json_build_object('id', l.id, 'external_id', l.external_id) from leads l where l.id = o.lead_id),
  'word', o.word, 'state', o.state, 'url', o.url, 'status', o.status, 'attempts', o.attempts, 'answer', o.answer,
  'last_error', o.last_error, 'next_at', case when o.status = 'queued' then o.next_at end, 'sent_at', o.sent_at)`

const sortable = {
  id: 'o.id',
  created_at: 'o.created_at',
  status: 'o.status',
  attempts: 'o.attempts',
  sent_at: 'o.sent_at',
}

interface PostbackQuery {
  status?: string
  template_id?: number
  lead_id?: number
  start_date?: string
  end_date?: string
  search?: string
  sort?: string
}

/** The list of postbacks as one statement of one row; for all of them, a row an item. */
export function postbackListText(query: PostbackQuery, span: Span): Statement {
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
      search && containing(search).slice(1),
    )
  const order = orderBy(sortable, query.sort, '-created_at', 'o.id')
  const matching = where.toString()
  if (span === 'all') {
    const text = `select (${postbackItem})::text as item from outgoing_postbacks o where ${matching} ${order}`
    return { text, values: where.values }
  }
  const text = `with page as materialized (
      select o.* from outgoing_postbacks o where ${matching} ${order}
      limit ${where.value(span.size)} offset ${where.value(span.offset)}
    )
    select coalesce(json_agg(${postbackItem} ${order}), '[]')::text as items, count(*) as count,
      ${where.any ? `(select count(*) from outgoing_postbacks o where ${matching})` : allRows('outgoing_postbacks')} as filtered,
      ${allRows('outgoing_postbacks')} as total from page o`
  return { text, values: where.values }
}
