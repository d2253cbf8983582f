import type { leadColumns as columnFilter } from '@karvon/contract/leads/leads.ts'
import { containing } from '../../resources/crud.queries.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { allRows } from '../../resources/lists.answer.ts'
import { Where } from '../../resources/lists.where.ts'
import type { Asked } from '../../platform/http/paging.ts'
import { leadCountText, ownOf, type Person } from '../rollups/rollups.queries.ts'
import { leadColumns } from './leads.queries.ts'

/** What the list's query may hold, already checked; id 0 of an offer or a stream: without one. */
export interface LeadQuery {
  source_id?: number
  offer_id?: number
  stream_id?: number
  status_id?: number
  external_id?: string
  word?: string
  column?: (typeof columnFilter)[number]
  start_date?: string
  end_date?: string
  search?: string
  sort?: string
}

/** A list of leads: who asks, for what, and the statuses that count in its column. */
export interface LeadList {
  query: LeadQuery
  person: Person | null
  statuses: readonly number[]
}

/** The statuses of a report's column ($1); of `none`, those that count in no column. */
export const statusesText = `select s.id from statuses s join status_types st on st.id = s.type_id
  where coalesce(st.code, 'none') = $1`

/** What a list is sorted by, forwards and backwards, each as an index has it. */
const orders = {
  id: ['l.id', 'l.id desc'],
  created_at: ['l.created_at, l.id', 'l.created_at desc, l.id desc'],
  updated_at: ['l.updated_at, l.id', 'l.updated_at desc, l.id desc'],
  payout: ['l.payout, l.id', 'l.payout desc, l.id desc'],
  external_id: ['l.external_id using ~<~, l.id', 'l.external_id using ~>~, l.id desc'],
} as const

function orderOf({ search, sort }: LeadQuery, fromEnd = false): string {
  // Found by the start of their ids, leads stand by these: the whole id first, and in the order of the index.
  const asked = sort ?? (search === undefined ? '-created_at' : 'external_id')
  const key = asked.replace(/^-/, '') as keyof typeof orders
  return `order by ${orders[key][asked.startsWith('-') === fromEnd ? 0 : 1]}`
}

/** How many leads there are for who asks, and how many of them match, as one row. */
export function leadCountsText({ query, person, statuses }: LeadList): Statement {
  const where = new Where()
  const total = person === null ? allRows('leads') : leadCountText(where, {}, person)
  const { status_id, external_id, word, search, sort: _, ...meant } = query
  const known = [status_id, external_id, word, search].every((each) => each === undefined)
  const filtered = known ? leadCountText(where, meant, person) : counted(where, { query, person, statuses })
  return { text: `select ${total} as total, ${filtered} as filtered`, values: where.values }
}

function counted(where: Where, list: LeadList): string {
  const matching = filters(list, where).toString()
  if (list.person === null) return `(select count(*) from leads l where ${matching})`
  return `(select coalesce(sum(n), 0)::bigint from (${streamsOf(where, list.person)}) s cross join lateral
    (select count(*) as n from leads l where l.stream_id = s.id and ${matching}) c)`
}

/** One page; backwards, `offset` counts from the end. The ids are found first, in an index where one serves. */
export function leadPageText(list: LeadList, { size, offset }: Asked, fromEnd: boolean): Statement {
  const { query, person } = list
  const where = filters(list)
  const matching = where.toString()
  const order = orderOf(query, fromEnd)
  const found =
    person === null
      ? `select l.id from leads l where ${matching}`
      : `select l.id from (${streamsOf(where, person)}) s cross join lateral (
          ${ofStream(matching, order, () => where.value(size + offset))}) l`
  const text = `with page as (
      ${found} ${order} limit ${where.value(size)}::bigint offset ${where.value(offset)}::bigint
    ), filled as (select ${leadColumns} from page join leads l using (id) ${orderOf(query)})
    select count(*) as count, coalesce(json_agg(row_to_json(filled)), '[]')::text as items from filled`
  return { text, values: where.values }
}

/**
 * A person's streams are read one by one, so that no stranger's lead is looked at: of each the first leads where
 * its index has them in order, else all that match and, by offset 0, not in the order of another index.
 */
function ofStream(matching: string, order: string, first: () => string): string {
  const all = `select l.* from leads l where l.stream_id = s.id and ${matching}`
  const inIndex = order.startsWith('order by l.created_at')
  return inIndex ? `${all} ${order} limit ${first()}::bigint` : `${all} offset 0`
}

/** Every lead that matches, a row an item. */
export function allLeadsText(list: LeadList): Statement {
  const where = filters(list)
  const text = `select row_to_json(j)::text as item from (
    select ${leadColumns} from leads l where ${where.toString()} ${orderOf(list.query)}) j`
  return { text, values: where.values }
}

const streamsOf = (where: Where, person: Person) =>
  `select id from streams where user_id = ${where.value(person.userId)}`

function filters({ query, person, statuses }: LeadList, where = new Where()): Where {
  if (person !== null) where.and(ownOf(where, 'l', person))
  where
    .and('l.source_id = ?', query.source_id)
    .and('l.status_id = ?', query.status_id)
    .and('l.external_id = ?', query.external_id)
    .and('lower(l.word) = lower(?)', query.word)
    // The day is what reports count by; the time is what indexes have. Where clocks go back at midnight a day
    // starts an hour before its date does.
    .and('l.day >= ?', query.start_date)
    .and('l.day <= ?', query.end_date)
    .and(`l.created_at >= ?::date - interval '1 hour'`, query.start_date)
    .and(`l.created_at < ?::date + 1 + interval '1 hour'`, query.end_date)
    .and('l.external_id like ?', query.search && containing(query.search).slice(1))
  for (const key of ['offer_id', 'stream_id'] as const) {
    if (query[key] === 0) where.and(`l.${key} is null`)
    else where.and(`l.${key} = ?`, query[key])
  }
  // The index of words begins with the source.
  if (query.word !== undefined) where.and('l.source_id in (select id from cpa_sources)')
  if (query.column !== undefined) where.and(inColumn(where, query.column, statuses))
  return where
}

function inColumn(where: Where, column: string, statuses: readonly number[]): string {
  const [first, ...more] = statuses
  // One status can be read in the order of its index, several cannot.
  const one = more.length === 0 ? where.value(first ?? null) : `any(${where.value(statuses)}::bigint[])`
  return column === 'none' ? `(l.status_id is null or l.status_id = ${one})` : `l.status_id = ${one}`
}
