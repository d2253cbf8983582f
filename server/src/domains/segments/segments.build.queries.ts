import { textDimensions } from '@karvon/contract/lib/lead-texts.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'
import { leadTextColumns } from '../rollups/rollups.text-columns.queries.ts'
import { idColumns, maxLeadTextBytes, maxLeadTexts } from './segments.columns.ts'
import { nextLeadsSql, type LastLead } from './segments.leads.queries.ts'
import { sliceSql } from './segments.slices.queries.ts'

const isOfOtherZone = sql`time_zone <> current_setting('TimeZone')`
const hasNoSlices = sql`slices is null`

export const segmentsWorkDelay: WorkDelay = sql`
  case when exists (select from lead_day_changes)
    or exists (select from lead_segments where ${isOfOtherZone} or ${hasNoSlices}) then 0 end`

/**
 * Days whose segments are out of date, oldest changes first. In another time zone the hours of all leads differ. Days whose segments
 * have no slices are the last ones, because a question reads these segments as a whole.
 */
export async function findChangedDays(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day from (
      (select day, min(id) as first from lead_day_changes group by day)
      union all
      (select distinct day, 0 from lead_segments where ${isOfOtherZone})
      union all
      (select distinct day, 9223372036854775807 from lead_segments where ${hasNoSlices})
    ) d group by day order by min(first), day limit ${limit}`.execute(db)
  return rows.map(({ day }) => day)
}

/** Removes the segments of a day, and its changes that the snapshot sees. */
export async function clearDay(snapshot: Db, day: string): Promise<void> {
  await sql`delete from lead_segments where day = ${day}`.execute(snapshot)
  await sql`delete from lead_day_changes where day = ${day}`.execute(snapshot)
}

/** Makes PostgreSQL join texts by hashing: it cannot estimate how many texts the leads have. */
export async function prepareBuild(trx: Db): Promise<void> {
  await sql`select set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true)`.execute(
    trx,
  )
}

const join = (parts: readonly string[]) => parts.join(', ')
const largest = 2_147_483_647

/** SQL of the number of leading bytes that are cut off from the four bytes of a code; null if a code does not fit. */
const skippedBytesSql = (name: string) => `case when min(${name}) < 0 or max(${name}) = ${largest} then null
  when max(${name}) < 256 then 3 when max(${name}) < 65536 then 2 else 0 end as ${name}`
const packSql = (name: string) =>
  `string_agg(substr(int4send(c.${name}), w.${name} + 1), ''::bytea) as ${name}`
const codeColumns = [...idColumns, 'hour', ...textDimensions]

/**
 * $1: the day, $2 and $3: the last lead of the segment before, $4: the number of the segment, $5: the leads of a segment. The
 * order of leads, by slices and streams, is the same in all columns, because one aggregation reads each lead once.
 */
const buildSql = `with segment as materialized (
    select l.id, l.created_at, extract(hour from l.created_at)::integer as hour,
      ${join(idColumns.map((column) => `least(coalesce(l.${column}_id, 0), ${largest})::integer as ${column}`))},
      ${join(textDimensions.map((dimension) => `${leadTextColumns[dimension]} as ${dimension}`))},
      least(greatest(l.payout * 100, -${largest}), ${largest})::integer as payout
    ${nextLeadsSql('$5')}
  ),
  texts as materialized (
    select distinct t.dimension, t.text from segment s
    cross join lateral (values ${join(textDimensions.map((dimension) => `('${dimension}', s.${dimension})`))}) t (dimension, text)
    where t.text <> ''
  ),
  known as materialized (
    select dimension, text, (select code from lead_texts k where k.dimension = t.dimension and k.text = t.text) as code from texts t
  ),
  added as (
    insert into lead_texts (dimension, text, code)
    select dimension, text, code from (
      select dimension, text, row_number() over (partition by dimension order by text)
        + coalesce((select max(k.code) from lead_texts k where k.dimension = n.dimension), 0) as code
      from known n where code is null and octet_length(text) <= ${maxLeadTextBytes}
    ) n where code <= ${maxLeadTexts}
    returning dimension, text, code
  ),
  codes as materialized (select * from known where code is not null union all select * from added),
  coded as materialized (
    select s.id, s.created_at, s.hour, s.payout, ${join(idColumns.map((column) => `s.${column}`))},
      ${join(textDimensions.map((dimension) => `case when s.${dimension} = '' then 0 else coalesce(${dimension}_code.code, -1) end as ${dimension}`))}
    from segment s ${textDimensions
      .map(
        (dimension) =>
          `left join codes ${dimension}_code on ${dimension}_code.dimension = '${dimension}' and ${dimension}_code.text = s.${dimension}`,
      )
      .join(' ')}
  ),
  sorted as materialized (
    select c.*, ${sliceSql('c.stream')} as slice from coded c left join streams o on o.id = c.stream order by slice, c.stream
  ),
  starts as (
    select slice, sum(count(*)) over (order by slice) - count(*) as start from sorted group by slice
  ),
  cuts as (
    select ${join(codeColumns.map(skippedBytesSql))}, max(abs(payout)) as largest_payout from coded
  ),
  stored as (
    insert into lead_segments (day, part, leads, time_zone, slices, slice_starts, owner_change, ${join(codeColumns)}, payout,
      largest_payout)
    select $1, $4, count(*), current_setting('TimeZone'),
      (select array_agg(slice order by slice) from starts), (select array_agg(start order by slice) from starts),
      (select coalesce(max(change), 0) from stream_former_owners), ${join(codeColumns.map(packSql))},
      case when max(w.largest_payout) < ${largest} then string_agg(int4send(c.payout), ''::bytea) end, max(w.largest_payout)
    from sorted c cross join cuts w having count(*) > 0
  )
  select created_at, id from segment order by created_at desc, id desc limit 1`

/** Stores the next segment of a day, at most `size` leads. Returns its last lead; undefined if no lead is left. */
export async function buildSegment(
  snapshot: Db,
  { day, part, after, size }: { day: string; part: number; after: LastLead; size: number },
): Promise<LastLead | undefined> {
  const values = [day, after.created_at, after.id, part, size]
  const rows = await queryRows<LastLead>(snapshot, buildSql, values)
  return rows[0]
}
