import type { TextDimension } from '@karvon/contract/lib/lead-texts.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { Where } from '../../resources/lists.where.ts'
import { dayZero } from '../rollups/rollups.ranges.ts'
import type { SegmentColumn } from '../segments/segments.columns.ts'
import type { SegmentDay, Span } from '../segments/segments.spans.ts'
import { isTime, keyColumn, timeKey } from './explore.keys.ts'
import type { Question, QuestionPeriod } from './explore.question.ts'

/**
 * A day of a period that has leads. It counts as changed if its segments lack a column that the question needs. Its keys are those
 * of dimensions of time; null for others.
 */
export interface PlannedDay extends SegmentDay {
  row_key: string | null
  column_key: string | null
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
  const { weekday: weekdays } = question.filters
  if (weekdays !== undefined)
    where.and(where.writeOneOf(timeKey('weekday', 'd.day', { period, parameters }), weekdays, 'integer'))
  const lacks = ['', ...columns.map((column) => ` or ${column} is null`)].join('')
  return queryRows(
    trx,
    `select d.day::text as day, d.day - ${dayZero} as number, count(build)::integer as segments,
        coalesce(sum(build), 0)::bigint as builds, bool_or(d.is_changed) as is_changed, ${keys.map((key, at) => `${key} as ${keyColumn(at)}`).join(', ')}
      from (
        select day, build, time_zone <> current_setting('TimeZone')${lacks} as is_changed from lead_segments
        union all select distinct day, null::bigint, true from lead_day_changes
      ) d where ${where.toString()} group by d.day order by d.day`,
    where.values,
  )
}

/** The stored spans that lie completely in a period, also those that are out of date. */
export async function listSpans(trx: Db, { start, end }: QuestionPeriod): Promise<Span[]> {
  const where = new Where().and('day >= ?', start).and('day + days - 1 <= ?', end)
  return queryRows(
    trx,
    `select distinct day::text as day, day - ${dayZero} as number, days, segments, builds from lead_spans where ${where.toString()}`,
    where.values,
  )
}

/** The codes of those texts that a segment has. The code of '' is 0. */
export async function readFilterCodes(
  trx: Db,
  dimension: TextDimension,
  texts: readonly unknown[],
): Promise<number[]> {
  const { rows } = await sql<{ code: number }>`
    select code from lead_texts where dimension = ${dimension} and text = any(${texts}::text[])`.execute(trx)
  return [...(texts.includes('') ? [0] : []), ...rows.map(({ code }) => code)]
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
  return queryRows(trx, 'select id, user_id from streams where user_id is not null')
}

export async function readRoleSources(trx: Db, roleId: number): Promise<number[]> {
  const rows = await queryRows<{ source_id: number }>(
    trx,
    'select source_id from role_source_access where role_id = $1',
    [roleId],
  )
  return rows.map(({ source_id }) => source_id)
}

/** The types of the statuses that have one with a code. */
export async function readStatusTypes(trx: Db): Promise<{ id: number; code: string }[]> {
  return queryRows(
    trx,
    'select s.id, t.code from statuses s join status_types t on t.id = s.type_id where t.code is not null',
  )
}
