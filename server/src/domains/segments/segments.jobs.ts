import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import {
  buildSegment,
  clearDay,
  findChangedDays,
  hasChangedDays,
  prepareBuild,
} from './segments.build.queries.ts'
import { maxSegmentLeads } from './segments.columns.ts'
import { buildNextSpan, hasSpanToBuild } from './segments.build-span.ts'
import { firstLead, type LastLead } from './segments.leads.queries.ts'

const maxDaysPerRun = 32
const maxSpansPerRun = 16

/**
 * Builds the segments of a day from its leads, in one snapshot. A change that is committed after the snapshot stays a change of the
 * day. After a kill everything is as before. Errors: a serialization failure if another process builds the same day.
 */
export async function buildDay(db: Db, day: string, { segmentSize = maxSegmentLeads } = {}): Promise<void> {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      await prepareBuild(snapshot)
      await clearDay(snapshot, day)
      let after: LastLead | undefined = firstLead
      for (let part = 0; after !== undefined; part += 1)
        after = await buildSegment(snapshot, { day, part, after, size: segmentSize })
    })
}

/** Builds the days with the oldest changes, so many in one run. Returns whether there may be more. */
export async function buildChangedDays(db: Db, signal?: AbortSignal): Promise<boolean> {
  const days = await findChangedDays(db, maxDaysPerRun)
  for (const day of days) {
    signal?.throwIfAborted()
    await buildDay(db, day)
  }
  return days.length === maxDaysPerRun
}

/** Builds the spans of days that are quiet, so many in one run. */
async function buildSpans(db: Db, signal: AbortSignal): Promise<void> {
  for (let count = 0; count < maxSpansPerRun; count += 1) {
    signal.throwIfAborted()
    if (!(await buildNextSpan(db))) return
  }
}

/**
 * Builds some days in each interval, also when more wait, so that a history that changes everywhere takes a bounded part of the
 * processor. Until a day is built, Explore reads its leads.
 */
export const segmentsJobs = ({ db }: Deps): Job[] => [
  {
    name: 'build-lead-segments',
    interval: 30_000,
    timeout: 600_000,
    isExclusive: true,
    readDelay: async () => ((await hasChangedDays(db)) || (await hasSpanToBuild(db)) ? 0 : null),
    run: async (signal) => {
      await buildChangedDays(db, signal)
      await buildSpans(db, signal)
    },
  },
]
