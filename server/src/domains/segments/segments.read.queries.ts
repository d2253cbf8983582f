import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { maxSegmentLeads, type SegmentColumn, type SpanColumn } from './segments.columns.ts'
import type { Slices } from './segments.slices.queries.ts'

/** Leads of a day in columns. A column is missing if it was not asked for. */
export type Segment = { day: string; part: number; leads: number; largest_payout: number } & Partial<
  Record<SegmentColumn, Buffer>
>

/** Groups of leads in columns. `leads` has the number of leads of each group, `payout` their payouts. */
export type SpanPart = {
  day: string
  part: number
  groups: number
  largest_sum: number
  leads: Buffer
} & Partial<Record<SpanColumn, Buffer>>

interface Place {
  readonly day: string
  readonly part: number
}

/**
 * Rows of one statement: 16, and more if they are short. A statement for few short rows would take longer
 * than its rows.
 */
const minRowsAtOnce = 16
const maxRowsAtOnce = 64

/**
 * SQL of a column as text. The driver reads bytes as hexadecimal text, which is longer and takes longer to
 * decode.
 */
const encodeSql = (value: string, name: string): string => `encode(${value}, 'base64') as ${name}`

/**
 * Reads rows in batches, and decodes their columns. The next batch is on its way while one is in use. After
 * each row the process answers other requests, and takes what the database has sent; otherwise the database
 * would wait.
 */
async function* readRows<Row extends Place>(
  trx: Db,
  text: string,
  {
    days,
    values,
    columns,
    sizeOf,
  }: {
    days: readonly string[]
    values: readonly unknown[]
    columns: readonly string[]
    sizeOf: (row: Row) => number
  },
): AsyncGenerator<Row> {
  if (days.length === 0) return
  const fetch = ({ day, part }: Place, limit: number) => {
    const batch = queryRows<Row>(trx, text, [day, part, limit, ...values])
    // The error is thrown where the batch is awaited.
    batch.catch(() => {})
    return batch
  }
  let limit = minRowsAtOnce
  let batch = await fetch({ day: days[0] ?? '', part: -1 }, limit)
  while (batch.length > 0) {
    const last = batch.at(-1)
    const isLast = batch.length < limit || last === undefined
    const meanSize = batch.reduce((sum, row) => sum + sizeOf(row), 0) / batch.length
    limit = Math.min(
      maxRowsAtOnce,
      Math.max(minRowsAtOnce, Math.floor((minRowsAtOnce * maxSegmentLeads) / meanSize)),
    )
    const next = isLast ? [] : fetch(last, limit)
    for (const row of batch) {
      const encodedColumns = row as unknown as Record<string, string | null>
      const decodedColumns = columns.map((name) => [name, Buffer.from(encodedColumns[name] ?? '', 'base64')])
      yield Object.assign(row, Object.fromEntries(decodedColumns))
      await setImmediate()
    }
    batch = await next
  }
}

const afterSql = (table: string) =>
  `(day, part) > ($1::date, $2::integer) and day >= $1::date order by ${table}.day, part limit $3`

/** The segments of some days, oldest first: all their leads, or those of some slices. */
export function readSegments(
  trx: Db,
  {
    days,
    columns,
    slices = null,
  }: { days: readonly string[]; columns: readonly SegmentColumn[]; slices?: Slices | null },
): AsyncGenerator<Segment> {
  const select = (leads: string, values: readonly string[]) =>
    `select ${['day::text as day', 'part', `${leads} as leads`, 'largest_payout', ...values].join(', ')}`
  const from = `from lead_segments where day = any($4::date[]) and ${afterSql('lead_segments')}`
  const sizeOf = ({ leads }: Segment) => leads
  if (slices === null) {
    const values = columns.map((name) => encodeSql(name, name))
    return readRows(trx, `${select('leads', values)} ${from}`, { days, values: [days], columns, sizeOf })
  }
  // Of a column with external storage, only the bytes of the slice are read.
  const cut = (name: string) => {
    const width = `(length(${name}) / leads)`
    return encodeSql(`substr(${name}, start * ${width} + 1, size * ${width})`, name)
  }
  const text = `${select('coalesce(size, 0)', columns.map(cut))} from (select * ${from}) s left join lateral (
      select start, coalesce(slice_starts[place + 1], leads) - start as size
      from unnest($5::integer[], $6::bigint[]) k (key, change)
      cross join lateral array_position(slices, key) place cross join lateral (select slice_starts[place] as start) b
      where change > owner_change and place is not null
      union all select 0, leads where slices is null
    ) w on true order by s.day, part`
  return readRows(trx, text, { days, values: [days, slices.keys, slices.changes], columns, sizeOf })
}

/** The groups of some spans that do not overlap, oldest first. */
export function readSpans(
  trx: Db,
  { spans, columns }: { spans: readonly { day: string; days: number }[]; columns: readonly SpanColumn[] },
): AsyncGenerator<SpanPart> {
  const days = spans.map(({ day }) => day)
  const names = ['leads', ...columns]
  const values = names.map((name) => encodeSql(name, name))
  const text = `select ${['day::text as day', 'part', 'groups', 'largest_sum', ...values].join(', ')} from lead_spans
    where (day, days) in (select * from unnest($4::date[], $5::integer[])) and ${afterSql('lead_spans')}`
  return readRows(trx, text, {
    days,
    values: [days, spans.map((span) => span.days)],
    columns: names,
    sizeOf: ({ groups }: SpanPart) => groups,
  })
}
