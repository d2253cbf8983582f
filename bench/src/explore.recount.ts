import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { ExploreCase } from './explore.cases.ts'
import { ownLeadsSql, type Reader } from './reports.recount.ts'

/** A cell that GROUP BY counts. A key without a value is ''. Large numbers are texts. */
export type CountedCell = Readonly<Record<string, string | number | null>>

const keys: Readonly<Record<DimensionName, string>> = {
  day: 'l.day',
  week: `date_trunc('week', l.day)::date`,
  month: `date_trunc('month', l.day)::date`,
  weekday: 'extract(isodow from l.day)',
  hour: 'extract(hour from l.created_at)',
  source: 'l.source_id',
  offer: 'l.offer_id',
  stream: 'l.stream_id',
  buyer: 't.user_id',
  status: 'l.status_id',
  region: 'l.region',
  cancel_reason: 'l.cancel_reason',
  sub1: `l.subs ->> 'sub1'`,
  sub2: `l.subs ->> 'sub2'`,
  sub3: `l.subs ->> 'sub3'`,
}
/** DuckDB stores these values in columns. */
const duckKeys = { ...keys, hour: 'l.hour', sub1: 'l.sub1', sub2: 'l.sub2', sub3: 'l.sub3' }

/** GROUP BY over the leads, as somebody would write it by hand for PostgreSQL or DuckDB. */
export function buildExploreSql(
  { rows, columns, period: { days } }: ExploreCase,
  viewer: Reader,
  database: 'postgres' | 'duckdb',
): string {
  const key = database === 'postgres' ? keys : duckKeys
  const streams = rows === 'buyer' || columns === 'buyer' ? 'left join streams t on t.id = l.stream_id' : ''
  const conditions = ownLeadsSql(viewer)
  // PostgreSQL has an index on the time. DuckDB knows the days of each block.
  if (days !== null)
    conditions.push(
      database === 'postgres'
        ? `l.created_at >= '${days[0]}' and l.created_at < '${days[1]}'::date + 1`
        : `l.day between '${days[0]}' and '${days[1]}'`,
    )
  return `select coalesce(row_key::text, '') as row_key, coalesce(column_key::text, '') as column_key, leads, profit from (
      select ${key[rows]} as row_key, ${key[columns]} as column_key, count(*) as leads,
        coalesce(sum(l.payout) filter (where st.code = 'sold'), 0) as profit
      from leads l ${streams} left join statuses s on s.id = l.status_id left join status_types st on st.id = s.type_id
      ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`} group by 1, 2) g`
}
