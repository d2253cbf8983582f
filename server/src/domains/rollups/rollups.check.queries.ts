import type pg from 'pg'
import { dayZero, spanLengths } from './rollups.ranges.ts'
import { figures } from './rollups.queries.ts'

const columns = figures.join(', ')

/** One row per day, source, offer and stream (0: none), counted from the leads. */
export const recountText = `
  select l.day, l.source_id, coalesce(l.offer_id, 0) as offer_id, coalesce(l.stream_id, 0) as stream_id,
    count(*) as leads, ${figures
      .slice(1, -2)
      .map((code) => `count(*) filter (where st.code = '${code}') as ${code}`)
      .join(', ')},
    coalesce(sum(l.payout) filter (where st.code = 'sold'), 0) as profit,
    coalesce(sum(l.payout) filter (where st.code = 'hold'), 0) as hold_amount
  from leads l left join statuses s on s.id = l.status_id left join status_types st on st.id = s.type_id
  group by 1, 2, 3, 4`

/** The rows that the totals must equal: the leads minus the deltas that are not folded yet. */
const expectedRows = `(${recountText} union all
  select day, source_id, offer_id, stream_id, ${figures.map((each) => `-${each}`).join(', ')} from lead_deltas)`

/** SQL that counts the rows of a rollup table, and the rows that differ from the sums of `from`. */
function differingText(
  table: string,
  {
    keys,
    expressions,
    from,
    sums = figures,
  }: {
    keys: readonly string[]
    expressions: readonly string[]
    from: string
    sums?: readonly string[]
  },
): string {
  const figureSums = sums.map((each) => `sum(${each}) as ${each}`).join(', ')
  const valuesOf = (table: string) => sums.map((each) => `coalesce(${table}.${each}, 0)`).join(', ')
  const group = keys.map((_, at) => at + 1).join(', ')
  return `select count(*)::integer as rows,
      count(*) filter (where (${valuesOf('t')}) <> (${valuesOf('r')}))::integer as differing
    from ${table} t full outer join (
      select ${expressions.join(', ')}, ${figureSums} from ${from} group by ${group}
    ) r using (${keys.join(', ')})`
}

const expectedSpans = `${expectedRows} l cross join unnest('{${spanLengths.join(', ')}}'::smallint[]) s (span)`
const startExpression = `${dayZero} + (day - ${dayZero}) / s.span * s.span as start`
const spanTables = {
  source_totals: ['source_id'],
  offer_totals: ['source_id', 'offer_id'],
  stream_totals: ['source_id', 'stream_id', 'offer_id'],
}

/** The rows that the totals of statuses must equal. Leads that the job has not counted yet are not in them. */
const expectedStatuses = `(select day, source_id, coalesce(status_id, 0) as status_id, 1 as leads, payout as payouts
  from leads, installation where id <= coalesce(statuses_counted_to, id)
  union all select day, source_id, status_id, -leads, -payouts from status_deltas)`
const statusTables = {
  status_totals: ['source_id', 'status_id'],
}

const comparisons = [
  ...Object.entries(statusTables).map(([table, keys]) => ({
    table,
    text: differingText(table, {
      keys: ['span', 'start', ...keys],
      expressions: ['s.span', startExpression, ...keys],
      from: `${expectedStatuses} l cross join unnest('{${spanLengths.join(', ')}}'::smallint[]) s (span)`,
      sums: ['leads', 'payouts'],
    }),
  })),
  ...Object.entries(spanTables).map(([table, keys]) => ({
    table,
    text: differingText(table, {
      keys: ['span', 'start', ...keys],
      expressions: ['s.span', startExpression, ...keys],
      from: expectedSpans,
    }),
  })),
  {
    table: 'owner_days',
    text: differingText('owner_days', {
      keys: ['user_id', 'day', 'source_id'],
      expressions: ['s.user_id', 'l.day', 'l.source_id'],
      from: `(select day, source_id, stream_id, ${columns} from ${expectedRows} f) l
        join streams s on s.id = l.stream_id and s.user_id is not null`,
    }),
  },
]

interface TableComparison {
  table: string
  rows: number
  differing: number
}

/** Counts the rows of each rollup table, and the rows that differ from the leads. */
export async function differingTotals(client: pg.ClientBase): Promise<TableComparison[]> {
  const results: TableComparison[] = []
  for (const { table, text } of comparisons) {
    const { rows } = await client.query<Omit<TableComparison, 'table'>>(text)
    results.push({ table, rows: 0, differing: 0, ...rows[0] })
  }
  return results
}

/** Lets the comparison sort in memory until the end of the transaction. */
export async function raiseWorkMemory(client: pg.ClientBase): Promise<void> {
  await client.query(`set local work_mem = '256MB'`)
}
