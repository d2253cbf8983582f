import type { Identity } from '../kit/guard.ts'
import { allRows } from '../kit/lists/lists.answer.ts'
import { orderBy, Where } from '../kit/lists/lists.where.ts'
import { containing } from '../kit/crud.sql.ts'
import type { Asked } from '../kit/paging.ts'

/** A lead as the wire answers it, from the row `l`. */
const columns = `l.id, l.external_id, l.source_id, ${named('cpa_sources', 'l.source_id')} as source,
  l.offer_id, ${named('offers', 'l.offer_id')} as offer, l.stream_id, ${named('streams', 'l.stream_id')} as stream,
  l.word, l.status_id, ${named('statuses', 'l.status_id')} as status,
  (select st.code from statuses s join status_types st on st.id = s.type_id where s.id = l.status_id) as "column",
  l.payout, l.currency, l.comment, l.day, l.created_at, l.updated_at`

function named(table: string, key: string): string {
  return `(select json_build_object('id', r.id, 'name', r.name) from ${table} r where r.id = ${key})`
}

const sortable = {
  id: 'l.id',
  external_id: 'l.external_id',
  created_at: 'l.created_at',
  updated_at: 'l.updated_at',
  payout: 'l.payout',
}

/** A lead of one's own stream, at a source that one's role may see. */
const own = `l.stream_id in (select id from streams where user_id = ?)
  and l.source_id in (select source_id from role_source_access where role_id = ?)`

/** What the list's query may hold, already checked. */
interface LeadQuery {
  source_id?: number
  offer_id?: number
  stream_id?: number
  status_id?: number
  external_id?: string
  column?: string
  start_date?: string
  end_date?: string
  search?: string
  sort?: string
}

/** The list as one statement of one row; `person` narrows it to what that person may see. */
export function leadListText(
  query: LeadQuery,
  asked: Asked,
  person: Identity | null,
): { text: string; values: unknown[] } {
  const where = new Where()
  if (person !== null) where.and(own, person.userId, person.roleId)
  const visible = where.toString()
  const search = query.search?.trim() || undefined
  where
    .and('l.source_id = ?', query.source_id)
    .and('l.offer_id = ?', query.offer_id)
    .and('l.stream_id = ?', query.stream_id)
    .and('l.status_id = ?', query.status_id)
    .and('l.external_id = ?', query.external_id)
    .and('l.day >= ?', query.start_date)
    .and('l.day <= ?', query.end_date)
    .and('l.external_id ilike ?', search && containing(search))
    .and(
      'l.status_id in (select s.id from statuses s join status_types st on st.id = s.type_id where st.code = ?)',
      query.column,
    )
  const matching = where.toString()
  const total = person === null ? allRows('leads') : `(select count(*) from leads l where ${visible})`
  const filtered = matching === visible ? 'total' : `(select count(*) from leads l where ${matching})`
  const order = orderBy(sortable, query.sort, '-created_at', 'l.id')
  const text = `with page as (
      select l.id from leads l where ${matching} ${order} limit ${where.value(asked.size)} offset ${where.value(asked.offset)}
    ), filled as (select ${columns} from page join leads l using (id) ${order})
    select items, count, total, ${filtered} as filtered
    from (select count(*) as count, coalesce(json_agg(row_to_json(filled)), '[]')::text as items from filled) i,
      (select ${total} as total) t`
  return { text, values: where.values }
}

/** One lead by id ($1) with its history, newest first, as JSON text. */
export const leadText = `select row_to_json(j)::text as row from (
  select ${columns}, (
    select coalesce(json_agg(json_build_object('word', c.word, 'status', ${named('statuses', 'c.status_id')},
      'payout', c.payout, 'origin', c.origin, 'reason', c.reason, 'source_time', c.source_time,
      'recorded_at', c.recorded_at) order by c.id desc), '[]')
    from lead_history c where c.lead_id = l.id
  ) as history
  from leads l where l.id = $1) j`
