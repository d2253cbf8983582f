import type { Db } from '../../platform/database/pool.ts'
import { decodeCodes, decodeSums } from './segments.codes.ts'
import { idColumns, maxSegmentLeads, type IdColumn } from './segments.columns.ts'
import { LeadGroups } from './segments.groups.ts'
import { readSegments, readSpans } from './segments.read.queries.ts'
import { readSourceDays, readSourceSpans, storeSpan } from './segments.spans.queries.ts'
import { planSpan, spanKey, type SpanPlan } from './segments.spans.ts'

/**
 * The time without changes after which a span is built. Without it, a span of days that change all the time
 * would be built repeatedly.
 */
const minQuietMinutes = 10

/**
 * Builds one span in one snapshot. After a kill everything is as before. Returns whether there was one to
 * build. A span that fails is added to `failedKeys`; the spans of `failedKeys` are not built. Errors: a unique violation or a
 * serialization failure if another process builds the same span.
 */
export function buildNextSpan(
  db: Db,
  { quietMinutes = minQuietMinutes, failedKeys = new Set<string>() } = {},
): Promise<boolean> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      const [days, spans] = [await readSourceDays(snapshot, quietMinutes), await readSourceSpans(snapshot)]
      const plan = planSpan(days, spans, failedKeys)
      if (plan === undefined) return false
      try {
        const groups = await readGroups(snapshot, plan)
        await storeSpan(snapshot, plan, groups.split(maxSegmentLeads))
      } catch (error) {
        failedKeys.add(spanKey(plan))
        throw error
      }
      return true
    })
}

async function readGroups(snapshot: Db, { entries, sources }: SpanPlan): Promise<LeadGroups> {
  const groups = new LeadGroups(entries)
  const column = () => new Int32Array(maxSegmentLeads)
  const ids = { source: column(), offer: column(), stream: column(), status: column() }
  const decodeIds = (row: Partial<Record<IdColumn, Buffer>>, size: number) => {
    for (const name of idColumns) decodeCodes(row[name], size, ids[name])
  }
  const columns = [...idColumns, 'payout'] as const
  const [countColumn, payout] = [column().fill(1), column()]
  const days = sources.days.map(({ day }) => day)
  for await (const segment of readSegments(snapshot, { days, columns })) {
    decodeIds(segment, segment.leads)
    decodeCodes(segment.payout, segment.leads, payout)
    groups.add({ size: segment.leads, ids, leads: countColumn, payout })
  }
  const [leads, sums] = [column(), new Float64Array(maxSegmentLeads)]
  for await (const part of readSpans(snapshot, { spans: sources.spans, columns })) {
    decodeIds(part, part.groups)
    decodeCodes(part.leads, part.groups, leads)
    decodeSums(part.payout, part.groups, sums)
    groups.add({ size: part.groups, ids, leads, payout: sums })
  }
  return groups
}
