import { sumFigures } from '@karvon/contract/explore/explore.metrics.ts'
import type pg from 'pg'
import { momentAfterDay, momentBeforeDay } from '../../platform/database/day-bounds.ts'
import { dayZero, rollupSpanLengths } from './rollups.ranges.ts'
import { buyerSql } from './rollups.queries.ts'

const columns = sumFigures.join(', ')

/** SQL: the condition of the leads `l` of day $1. */
export const leadsOfDay = `l.day = $1::date and l.created_at >= ${momentBeforeDay('$1::date')}
  and l.created_at < ${momentAfterDay('$1::date')}`

/** The rows that a comparison reads: everything, or day $1. */
interface Scope {
  spans: readonly number[]
  /** Of leads `l`. */
  leads: string
  /** Of rows with a day. */
  rows: string
  /** Of rows of a span. */
  totals: string
}
const fullScope: Scope = { spans: rollupSpanLengths, leads: 'true', rows: 'true', totals: 'true' }
const oneDay: Scope = {
  spans: [1],
  leads: leadsOfDay,
  rows: 'day = $1::date',
  totals: 'span = 1 and start = $1::date',
}

/** SQL: the leads with the code of the report column that they count in. */
const leadsSql = `select l.*, case when r.status_id is null then st.code
      when (l.created_at, l.id) >= (r.cursor_created_at, r.cursor_id) then r.new_column else r.old_column end as code
  from leads l left join statuses s on s.id = l.status_id left join status_types st on st.id = s.type_id
    left join status_recounts r on r.status_id = l.status_id`

const buildRecountSql = ({ leads }: Scope) => `
  select l.day, l.source_id, coalesce(l.offer_id, 0) as offer_id, coalesce(l.stream_id, 0) as stream_id,
    count(*) as leads, ${sumFigures
      .slice(1, -2)
      .map((code) => `count(*) filter (where l.code = '${code}') as ${code}`)
      .join(', ')},
    coalesce(sum(l.payout) filter (where l.code = 'sold'), 0) as profit,
    coalesce(sum(l.payout) filter (where l.code = 'hold'), 0) as hold_amount
  from (${leadsSql}) l where ${leads} group by 1, 2, 3, 4`

/** One row per day, source, offer and stream (0: none), counted from the leads. */
export const recountSql = buildRecountSql(fullScope)

/** The rows that the totals must equal: the leads minus the deltas that are not folded yet. */
const expectRows = (scope: Scope) => `(${buildRecountSql(scope)} union all
  select day, source_id, offer_id, stream_id, ${sumFigures.map((figure) => `-${figure}`).join(', ')} from lead_deltas
  where ${scope.rows})`

/** SQL that counts the rows of a rollup table, and the rows that differ from the sums of `from`. */
function differingSql(
  table: string,
  {
    keys,
    expressions,
    from,
    sums = sumFigures,
    stored,
  }: {
    keys: readonly string[]
    expressions: readonly string[]
    from: string
    sums?: readonly string[]
    /** The condition of the rows of the table. */
    stored: string
  },
): string {
  const figureSums = sums.map((sum) => `sum(${sum}) as ${sum}`).join(', ')
  const valuesOf = (table: string) => sums.map((sum) => `coalesce(${table}.${sum}, 0)`).join(', ')
  const group = keys.map((_, at) => at + 1).join(', ')
  return `select count(*)::integer as rows,
      count(*) filter (where (${valuesOf('t')}) <> (${valuesOf('r')}))::integer as differing
    from (select * from ${table} where ${stored}) t full outer join (
      select ${expressions.join(', ')}, ${figureSums} from ${from} group by ${group}
    ) r using (${keys.join(', ')})`
}

const startExpression = `${dayZero} + (day - ${dayZero}) / s.span * s.span as start`
const spanTables = {
  source_totals: ['source_id'],
  offer_totals: ['source_id', 'offer_id'],
  stream_totals: ['source_id', 'stream_id', 'offer_id'],
}

/** The rows that the totals of statuses must equal. Leads that the job has not counted yet are not in them. */
const expectStatuses = ({ leads, rows }: Scope) => `(
  select l.day, l.source_id, coalesce(l.status_id, 0) as status_id, 1 as leads, l.payout as payouts
  from leads l, installation where l.id <= coalesce(statuses_counted_to, l.id) and ${leads}
  union all select day, source_id, status_id, -leads, -payouts from status_deltas where ${rows})`
const statusTables = {
  status_totals: ['source_id', 'status_id'],
}

function listComparisons(scope: Scope): { table: string; text: string }[] {
  const spans = `cross join unnest('{${scope.spans.join(', ')}}'::smallint[]) s (span)`
  const compareSpans = (
    [table, keys]: [string, readonly string[]],
    from: string,
    sums: readonly string[] = sumFigures,
  ) => ({
    table,
    text: differingSql(table, {
      keys: ['span', 'start', ...keys],
      expressions: ['s.span', startExpression, ...keys],
      from: `${from} l ${spans}`,
      sums,
      stored: scope.totals,
    }),
  })
  return [
    ...Object.entries(statusTables).map((entry) =>
      compareSpans(entry, expectStatuses(scope), ['leads', 'payouts']),
    ),
    ...Object.entries(spanTables).map((entry) => compareSpans(entry, expectRows(scope))),
    {
      table: 'buyer_days',
      text: differingSql('buyer_days', {
        keys: ['user_id', 'day', 'source_id'],
        expressions: [`${buyerSql('l', 's')} as user_id`, 'l.day', 'l.source_id'],
        from: `(select day, source_id, stream_id, ${columns} from ${expectRows(scope)} f) l
        left join streams s on s.id = l.stream_id`,
        stored: scope.rows,
      }),
    },
  ]
}

const comparisons = listComparisons(fullScope)
const comparisonsOfDay = listComparisons(oneDay)

interface TableComparison {
  table: string
  rows: number
  differing: number
}

/** Counts the rows of each rollup table, and the rows that differ from the leads; with a day, only its rows for one day. */
export async function differingTotals(client: pg.ClientBase, day?: string): Promise<TableComparison[]> {
  const results: TableComparison[] = []
  for (const { table, text } of day === undefined ? comparisons : comparisonsOfDay) {
    const { rows } = await client.query<Omit<TableComparison, 'table'>>(text, day === undefined ? [] : [day])
    results.push({ table, rows: 0, differing: 0, ...rows[0] })
  }
  return results
}

export async function countLeadsOfDay(client: pg.ClientBase, day: string): Promise<number> {
  const text = `select count(*) as leads from leads l where ${leadsOfDay}`
  return (await client.query<{ leads: number }>(text, [day])).rows[0]?.leads ?? 0
}

/** Counts the rows of `lead_currencies`, and those that it lacks by the leads. */
export async function countMissingCurrencies(
  client: pg.ClientBase,
): Promise<{ stored: number; missing: number }> {
  const text = `select (select count(*) from lead_currencies)::integer as stored, count(*)::integer as missing
    from (select distinct currency, source_id, coalesce(stream_id, 0) as stream_id from leads) l
    where not exists (select from lead_currencies c
      where (c.currency, c.source_id, c.stream_id) = (l.currency, l.source_id, l.stream_id))`
  const { rows } = await client.query<{ stored: number; missing: number }>(text)
  return rows[0] ?? { stored: 0, missing: 0 }
}

/** Lets the comparison sort in memory until the end of the transaction. */
export async function raiseWorkMemory(client: pg.ClientBase): Promise<void> {
  await client.query(`set local work_mem = '256MB'`)
}
