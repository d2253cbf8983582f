import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { dayZero } from '../rollups/rollups.ranges.ts'
import { encodeCodes, encodeSums } from './segments.codes.ts'
import type { Groups } from './segments.groups.ts'
import { idColumns } from './segments.columns.ts'
import type { SourceDay, SourceSpan, SpanPlan } from './segments.spans.ts'

const zero = sql.raw(dayZero)

/**
 * All days with leads. A day whose segments lack a column of spans counts as changed. It is quiet if its
 * segments are old enough.
 */
export async function readSourceDays(db: Db, quietMinutes: number): Promise<SourceDay[]> {
  const lacks = sql.raw([...idColumns, 'payout'].map((name) => ` or ${name} is null`).join(''))
  const { rows } = await sql<SourceDay>`
    select day::text as day, day - ${zero} as number, count(build)::integer as segments, coalesce(sum(build), 0)::bigint as builds,
      bool_or(is_changed) as is_changed, bool_and(is_quiet) as is_quiet,
      sum(leads)::integer as entries, least(sum(leads * largest_payout), ${2 ** 53})::bigint as largest_sum
    from (
      select day, build, leads, largest_payout::bigint, time_zone <> current_setting('TimeZone')${lacks} as is_changed,
        built_at < now() - ${quietMinutes}::integer * interval '1 minute' as is_quiet
      from lead_segments
      union all select distinct day, null::bigint, 0, 0, true, false from lead_day_changes
    ) d group by day order by day`.execute(db)
  return rows
}

/** All stored spans, also those that are out of date. */
export async function readSourceSpans(db: Db): Promise<SourceSpan[]> {
  const { rows } = await sql<SourceSpan>`
    select day::text as day, day - ${zero} as number, days, min(segments) as segments, min(builds) as builds,
      sum(groups)::integer as entries, min(largest_sum) as largest_sum
    from lead_spans group by day, days`.execute(db)
  return rows
}

/** Stores a span with these groups, instead of the one that is out of date. */
export async function storeSpan(
  trx: Db,
  { number, days, segments, builds, largest_sum: largestSum }: SpanPlan,
  groups: Iterable<Groups>,
): Promise<void> {
  const day = sql`(${zero} + ${number}::integer)`
  await sql`delete from lead_spans where day = ${day} and days = ${days}`.execute(trx)
  let part = 0
  for (const { size, ids, leads, payout } of groups) {
    await sql`
      insert into lead_spans
        (day, days, part, groups, segments, builds, largest_sum, source, offer, stream, status, leads, payout)
      values (${day}, ${days}, ${part}, ${size}, ${segments}, ${builds}, ${largestSum}, ${encodeCodes(ids.source)},
        ${encodeCodes(ids.offer)}, ${encodeCodes(ids.stream)}, ${encodeCodes(ids.status)}, ${encodeCodes(leads)},
        ${encodeSums(payout)})`.execute(trx)
    part += 1
  }
}
