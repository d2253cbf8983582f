import type { listOutgoingPostbacks } from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type { Db } from '../../platform/database/pool.ts'
import { readItem } from '../../resources/lists.answer.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, escapeLike, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'

/** The JSON of an outgoing postback, from the row `o`. */
const outgoingPostbackItem = `json_build_object('id', o.id, 'created_at', o.created_at,
  'template', ${buildNamedJson('postback_templates', 'o.template_id')},
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

export const readOutgoingPostback = (trx: Db, id: number) =>
  readItem(
    trx,
    `select (${outgoingPostbackItem})::text as item from outgoing_postbacks o where o.id = $1`,
    id,
  )

type OutgoingPostbackQuery = QueryOf<typeof listOutgoingPostbacks>

/** The list of outgoing postbacks. */
export function buildOutgoingPostbackList(query: OutgoingPostbackQuery): ListDeclaration {
  return {
    table: 'outgoing_postbacks',
    alias: 'o',
    item: { json: outgoingPostbackItem },
    where: new Where()
      .andEqual(sortable, query)
      .and('o.template_id = ?', query.template_id)
      .and('o.lead_id = ?', query.lead_id)
      .andDays('o.created_at', query)
      .and(
        'o.lead_id in (select id from leads where external_id like ?)',
        query.search && `${escapeLike(query.search)}%`,
      ),
    order: buildOrderBy({
      columns: sortable,
      sort: query.sort,
      defaultSort: '-created_at',
      tieBreaker: 'o.id',
    }),
  }
}
