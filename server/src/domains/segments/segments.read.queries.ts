import { setImmediate } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { SegmentColumn, SpanColumn } from './segments.columns.ts'

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

const segmentsAtOnce = 16

/**
 * Reads rows in batches. The next batch is on its way while one is in use. After each row the process answers other requests, and
 * takes what the database has sent; otherwise the database would wait.
 */
async function* readRows<Row extends Place>(
  trx: Db,
  text: string,
  { days, values }: { days: readonly string[]; values: readonly unknown[] },
): AsyncGenerator<Row> {
  if (days.length === 0) return
  const fetch = ({ day, part }: Place) => {
    const query = CompiledQuery.raw(text, [day, part, ...values])
    const batch = trx.executeQuery<Row>(query).then(({ rows }) => rows)
    // The error is thrown where the batch is awaited.
    batch.catch(() => {})
    return batch
  }
  let batch = await fetch({ day: days[0] ?? '', part: -1 })
  while (batch.length > 0) {
    const last = batch.at(-1)
    const next = batch.length < segmentsAtOnce || last === undefined ? [] : fetch(last)
    for (const row of batch) {
      yield row
      await setImmediate()
    }
    batch = await next
  }
}

const afterText = (table: string) =>
  `(day, part) > ($1::date, $2::integer) and day >= $1::date order by ${table}.day, part limit ${segmentsAtOnce}`

/** The segments of some days, oldest first. */
export function readSegments(
  trx: Db,
  { days, columns }: { days: readonly string[]; columns: readonly SegmentColumn[] },
): AsyncGenerator<Segment> {
  const text = `select ${['day::text as day', 'part', 'leads', 'largest_payout', ...columns].join(', ')} from lead_segments
    where day = any($3::date[]) and ${afterText('lead_segments')}`
  return readRows(trx, text, { days, values: [days] })
}

/** The groups of some spans that do not overlap, oldest first. */
export function readSpans(
  trx: Db,
  { spans, columns }: { spans: readonly { day: string; days: number }[]; columns: readonly SpanColumn[] },
): AsyncGenerator<SpanPart> {
  const days = spans.map(({ day }) => day)
  const text = `select ${['day::text as day', 'part', 'groups', 'largest_sum', 'leads', ...columns].join(', ')} from lead_spans
    where (day, days) in (select * from unnest($3::date[], $4::integer[])) and ${afterText('lead_spans')}`
  return readRows(trx, text, { days, values: [days, spans.map((span) => span.days)] })
}
