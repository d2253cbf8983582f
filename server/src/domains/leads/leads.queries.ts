import { maxHistoryShown } from '@karvon/contract/lib/limits.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { containing } from '../../resources/crud.queries.ts'
import { plainListText } from '../../resources/lists.plain.ts'
import { Where } from '../../resources/lists.where.ts'
import type { Span } from '../../platform/http/paging.ts'
import { ownOf, type Person } from '../rollups/rollups.queries.ts'

/** A lead as the wire answers it, from the row `l`. */
export const leadColumns = `l.id, l.external_id, l.source_id, ${named('cpa_sources', 'l.source_id')} as source,
  l.offer_id, ${named('offers', 'l.offer_id')} as offer, l.stream_id, ${named('streams', 'l.stream_id')} as stream,
  l.word, l.status_id, ${named('statuses', 'l.status_id')} as status, l.by_word,
  (select st.code from statuses s join status_types st on st.id = s.type_id where s.id = l.status_id) as "column",
  l.payout, l.currency, l.comment, l.subs, l.day, l.created_at, l.updated_at`

function named(table: string, key: string): string {
  return `(select json_build_object('id', r.id, 'name', r.name) from ${table} r where r.id = ${key})`
}

const changeJson = `json_build_object('word', c.word, 'status', ${named('statuses', 'c.status_id')}, 'payout', c.payout,
  'origin', c.origin, 'reason', c.reason, 'source_time', c.source_time, 'recorded_at', c.recorded_at)`

function whereLead(id: number, person: Person | null): Where {
  const where = new Where().and('l.id = ?', id)
  return person === null ? where : where.and(ownOf(where, 'l', person))
}

/** One lead with its newest changes as JSON text; for a person only one that they may see. */
export function leadText(id: number, person: Person | null): Statement {
  const where = whereLead(id, person)
  const text = `select row_to_json(j)::text as row from (
    select ${leadColumns}, (
      select coalesce(json_agg(${changeJson} order by c.id desc), '[]') from (
        select * from lead_history h where h.lead_id = l.id order by h.id desc limit ${maxHistoryShown}) c
    ) as history, (select count(*) from lead_history c where c.lead_id = l.id) as history_total
    from leads l where ${where.toString()}) j`
  return { text, values: where.values }
}

/** Whether there is such a lead, for a person one that they may see. */
export function leadExistsText(id: number, person: Person | null): Statement {
  const where = whereLead(id, person)
  return { text: `select from leads l where ${where.toString()}`, values: where.values }
}

/** The changes of a lead, newest first unless sorted; `search` finds a part of a word. */
export function leadChangesText(
  id: number,
  { sort, search }: { sort?: string; search?: string },
  span: Span,
): Statement {
  const matching = new Where().and('c.lead_id = ?', id)
  const visible = matching.toString()
  matching.and('c.word ilike ?', search && containing(search))
  const order = `order by c.id ${sort === 'recorded_at' ? 'asc' : 'desc'}`
  return plainListText(
    { id: 'c.id', item: changeJson, from: 'lead_history c', order, visible, matching },
    span,
  )
}
