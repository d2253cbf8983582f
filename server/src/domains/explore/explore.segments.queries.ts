import type { TextDimension } from '@karvon/contract/lib/lead-texts.ts'
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { Where } from '../../resources/lists.where.ts'
import type { SegmentColumn } from '../segments/segments.columns.ts'
import { isTime, timeKey } from './explore.keys.ts'
import type { Question, QuestionPeriod } from './explore.question.ts'

async function run<Row>(trx: Db, text: string, values: readonly unknown[]): Promise<Row[]> {
  return (await trx.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}

/** A day of a period that has leads. Its keys are those of dimensions of time; null for others. */
export interface PlannedDay {
  day: string
  /** Whether its segments do not have all that the question needs. Then its leads are read. */
  is_changed: boolean
  k0: string | null
  k1: string | null
}

/** The days of a period that may have leads, oldest first. */
export async function planDays(
  trx: Db,
  {
    question,
    period,
    columns,
  }: { question: Question; period: QuestionPeriod; columns: readonly SegmentColumn[] },
): Promise<PlannedDay[]> {
  const parameters = new Where()
  const keys = [0, 1].map((at) => {
    const name = question.dimensions[at]
    return name !== undefined && isTime(name)
      ? `${timeKey(name, 'd.day', { period, parameters })}::text`
      : 'null::text'
  })
  const where = new Where(parameters.values).and('d.day >= ?', period.start).and('d.day <= ?', period.end)
  if (question.filters.weekday !== undefined)
    where.and(`${timeKey('weekday', 'd.day', { period, parameters })} = ?`, question.filters.weekday)
  const lacks = ['', ...columns.map((each) => ` or ${each} is null`)].join('')
  return run(
    trx,
    `select d.day::text as day, bool_or(d.is_changed) as is_changed, ${keys.map((key, at) => `${key} as k${at}`).join(', ')}
      from (
        select day, time_zone <> current_setting('TimeZone')${lacks} as is_changed from lead_segments
        union all select day, true from lead_day_changes
      ) d where ${where.toString()} group by d.day order by d.day`,
    where.values,
  )
}

/** Leads in columns. A column is null if it was not asked for. */
export type Segment = { day: string; part: number; leads: number; largest_payout: number } & Partial<
  Record<SegmentColumn, Buffer>
>

const segmentsAtOnce = 16

/** The segments of some days, in batches. The next batch is on its way while one is in use. */
export async function* readSegments(
  trx: Db,
  { days, columns }: { days: readonly string[]; columns: readonly SegmentColumn[] },
): AsyncGenerator<Segment[]> {
  if (days.length === 0) return
  const text = `select ${['day::text as day', 'part', 'leads', 'largest_payout', ...columns].join(', ')} from lead_segments
    where day = any($1::date[]) and (day, part) > ($2::date, $3::integer) and day >= $2::date
    order by lead_segments.day, part limit ${segmentsAtOnce}`
  const fetch = (day: string, part: number) => {
    const batch = run<Segment>(trx, text, [days, day, part])
    // The error is thrown where the batch is awaited.
    batch.catch(() => {})
    return batch
  }
  let batch = await fetch(days[0] ?? '', -1)
  while (batch.length > 0) {
    const last = batch.at(-1)
    const next = batch.length < segmentsAtOnce || last === undefined ? [] : fetch(last.day, last.part)
    yield batch
    batch = await next
  }
}

/** The code of a text; undefined if no segment has it. */
export async function readCode(trx: Db, dimension: TextDimension, text: string): Promise<number | undefined> {
  if (text === '') return 0
  const { rows } = await sql<{ code: number }>`
    select code from lead_texts where dimension = ${dimension} and text = ${text}`.execute(trx)
  return rows[0]?.code
}

/** The first of some texts in the order of the database. `newTexts` have no codes yet. */
export async function findFirstTexts(
  trx: Db,
  dimension: TextDimension,
  {
    codes,
    newTexts,
    limit,
  }: { codes: readonly number[]; newTexts: readonly (readonly [number, string])[]; limit: number },
): Promise<{ code: number; text: string }[]> {
  const { rows } = await sql<{ code: number; text: string }>`
    select code, text from (
      select code, text from lead_texts where dimension = ${dimension} and code = any(${codes}::integer[])
      union all select * from unnest(${newTexts.map(([code]) => code)}::integer[], ${newTexts.map(([, text]) => text)}::text[])
      union all select 0, '' where 0 = any(${codes}::integer[])
    ) t order by text limit ${limit}`.execute(trx)
  return rows
}

/** The owners of the streams that have one. */
export async function readOwners(trx: Db): Promise<{ id: number; user_id: number }[]> {
  return run(trx, 'select id, user_id from streams where user_id is not null', [])
}

export async function readRoleSources(trx: Db, roleId: number): Promise<number[]> {
  const rows = await run<{ source_id: number }>(
    trx,
    'select source_id from role_source_access where role_id = $1',
    [roleId],
  )
  return rows.map(({ source_id }) => source_id)
}

/** The types of the statuses that have one with a code. */
export async function readStatusTypes(trx: Db): Promise<{ id: number; code: string }[]> {
  return run(
    trx,
    'select s.id, t.code from statuses s join status_types t on t.id = s.type_id where t.code is not null',
    [],
  )
}
