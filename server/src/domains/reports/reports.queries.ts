import { containing } from '../../resources/crud.queries.ts'
import { orderBy, Where } from '../../resources/lists.where.ts'
import type { Asked } from '../../platform/http/paging.ts'
import type { Grouping, Person } from '../rollups/rollups.queries.ts'
import {
  figureColumns,
  figuresJson,
  groupCountText,
  groupedText,
  totalsText,
} from './reports.figures.queries.ts'

/** What a report's query may hold, already checked; days are inclusive. */
export interface ReportQuery {
  source_id?: number
  start_date?: string
  end_date?: string
  search?: string
  sort?: string
}

export interface Statement {
  text: string
  values: unknown[]
}

/** A report whose rows are figures: what it groups by, where a group's name stands, how it usually stands. */
export interface FiguresReport {
  key: Grouping
  names: 'cpa_sources' | 'offers' | 'streams' | null
  usual: string
}

/** Sources that a person may see; every source for an admin's report. */
const ownSources = 'select source_id from role_source_access where role_id = ?'

/** `person` narrows a report to what that person may see; null is an admin's report over everything. */
export function figuresText(
  report: FiguresReport,
  query: ReportQuery,
  asked: Asked,
  person: Person | null,
): Statement {
  const where = new Where()
  const grouped = groupedText(where, report.key, query, person)
  const search = report.names === null ? undefined : query.search?.trim() || undefined
  const named =
    report.names === null
      ? `select g.* from grouped g`
      : `select g.*, coalesce(n.name, '—') as name from grouped g left join ${report.names} n on n.id = g.key`
  const matched =
    search === undefined
      ? 'select * from named'
      : `select * from named where name ilike ${where.value(containing(search))}`
  const sortable = {
    ...figureColumns('m'),
    ...(report.names === null ? { date: 'm.key' } : { name: 'm.name' }),
  }
  const order = orderBy(sortable, query.sort, report.usual, 'm.key')
  const head = report.names === null ? `'date', m.key` : `'id', nullif(m.key, 0), 'name', m.name`
  const narrowed = [search, query.source_id, query.start_date, query.end_date].some(
    (each) => each !== undefined,
  )
  const text = `with grouped as materialized (${grouped}),
    named as (${named}), matched as materialized (${matched}),
    page as (
      select json_build_object(${head}, ${figuresJson('m')}) as item from matched m ${order}
      limit ${where.value(asked.size)} offset ${where.value(asked.offset)}
    ), totals as (${totalsText('matched')})
    select coalesce(json_agg(item), '[]')::text as items, count(*) as count,
      (select count(*) from matched) as filtered,
      ${narrowed ? groupCountText(where, report.key, person) : '(select count(*) from matched)'} as total,
      (select json_build_object(${figuresJson('t')}) from totals t) as totals
    from page`
  return { text, values: where.values }
}

/** One row a source, leads or not: what its leads earned, and what the network itself reports. */
export function finText(query: ReportQuery, asked: Asked, person: Person | null): Statement {
  const where = new Where()
  const grouped = groupedText(where, 'source_id', query, person)
  const { sources, all } = sourcesOf(where, query, person)
  const whose = person === null ? '' : `and k.user_id = ${where.value(person.userId)}`
  const reported = `select sum(s.balance) as balance, sum(s.hold) as hold, min(s.money_at) as at
    from source_credentials k join sync_states s on s.source_credential_id = k.id and s.money_at is not null
    where k.source_id = c.id ${whose}`
  const order = orderBy(
    { name: 'm.name', profit: 'm.profit', hold_amount: 'm.hold_amount' },
    query.sort,
    'name',
    'm.id',
  )
  const text = `with grouped as (${grouped}),
    matched as materialized (
      select c.id, c.name, coalesce(g.profit, 0) as profit, coalesce(g.hold_amount, 0) as hold_amount, n.*
      from (${sources}) c left join grouped g on g.key = c.id left join lateral (${reported}) n on true
    ),
    page as (
      select json_build_object('id', m.id, 'name', m.name, 'profit', m.profit, 'hold_amount', m.hold_amount,
        'time', now(), 'network_balance', m.balance, 'network_hold', m.hold, 'network_time', m.at,
        'balance_difference', m.balance - m.profit, 'hold_difference', m.hold - m.hold_amount) as item
      from matched m ${order} limit ${where.value(asked.size)} offset ${where.value(asked.offset)}
    )
    select coalesce(json_agg(item), '[]')::text as items, count(*) as count,
      (select count(*) from matched) as filtered, ${all} as total from page`
  return { text, values: where.values }
}

/** Sources by id and name. */
export function sourcesText(query: ReportQuery, asked: Asked, person: Person | null): Statement {
  const where = new Where()
  const { sources, all } = sourcesOf(where, query, person)
  const order = orderBy({ id: 'm.id', name: 'm.name' }, query.sort, 'name', 'm.id')
  const text = `with matched as materialized (${sources}),
    page as (
      select json_build_object('id', m.id, 'name', m.name) as item from matched m ${order}
      limit ${where.value(asked.size)} offset ${where.value(asked.offset)}
    )
    select coalesce(json_agg(item), '[]')::text as items, count(*) as count,
      (select count(*) from matched) as filtered, ${all} as total from page`
  return { text, values: where.values }
}

/** Adds to the parameters of `where`, though the conditions are on sources. */
function sourcesOf(
  where: Where,
  query: ReportQuery,
  person: Person | null,
): { sources: string; all: string } {
  const seen = person === null ? 'true' : `c.id in (${ownSources.replace('?', where.value(person.roleId))})`
  const conditions = [seen]
  const search = query.search?.trim() || undefined
  if (query.source_id !== undefined) conditions.push(`c.id = ${where.value(query.source_id)}`)
  if (search !== undefined) conditions.push(`c.name ilike ${where.value(containing(search))}`)
  return {
    sources: `select c.id, c.name from cpa_sources c where ${conditions.join(' and ')}`,
    all: `(select count(*) from cpa_sources c where ${seen})`,
  }
}
