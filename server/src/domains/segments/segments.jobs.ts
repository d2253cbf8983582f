import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { RowErrors } from '../../platform/jobs/row-errors.ts'
import {
  buildSegment,
  clearDay,
  findChangedDays,
  prepareBuild,
  segmentsWorkDelay,
} from './segments.build.queries.ts'
import { maxSegmentLeads } from './segments.columns.ts'
import { buildNextSpan } from './segments.build-span.ts'
import { firstLead, type LastLead } from './segments.leads.queries.ts'

const maxDaysPerRun = 32
const maxSpansPerRound = 16
/** Milliseconds between two runs of days, or two rounds of spans. */
const buildInterval = 30_000

/**
 * Builds the segments of a day from its leads, in one snapshot. A change that is committed after the snapshot
 * stays a change of the day. After a kill everything is as before. Errors: a serialization failure if another
 * process builds the same day.
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

/**
 * Builds the days with the oldest changes, a limited number in one run. Returns whether there may be more. Errors: those of the
 * days that were not built, after the other days are built.
 */
export async function buildChangedDays(db: Db, signal?: AbortSignal): Promise<boolean> {
  const days = await findChangedDays(db, maxDaysPerRun)
  const errors = new RowErrors()
  for (const day of days) {
    signal?.throwIfAborted()
    await errors.run(() => buildDay(db, day))
  }
  errors.throwAll('The segments of some days were not built')
  return days.length === maxDaysPerRun
}

/**
 * Builds the spans of days without recent changes, a limited number in one round, with a pause between two rounds. Errors: those
 * of the spans that were not built, after the other spans are built.
 */
export async function buildSpans(
  db: Db,
  { signal = new AbortController().signal, quietMinutes, pause = buildInterval }: SpanBuildOptions,
): Promise<void> {
  const errors = new RowErrors()
  const failedKeys = new Set<string>()
  const progress = { hasMore: true }
  for (let count = 1; progress.hasMore && !signal.aborted; count += 1) {
    await errors.run(async () => {
      progress.hasMore = await buildNextSpan(db, { quietMinutes, failedKeys })
    })
    if (count % maxSpansPerRound === 0) await sleep(pause, undefined, { signal }).catch(() => {})
  }
  errors.throwAll('Some spans were not built')
}
interface SpanBuildOptions {
  readonly signal?: AbortSignal
  readonly quietMinutes?: number
  /** Milliseconds between two rounds. */
  readonly pause?: number
}

/**
 * Builds some days in each interval, also when more wait, so that a history that changes everywhere takes a
 * bounded part of the processor. Until a day is built, Explore reads its leads. Spans are built in the same
 * way. They wait for days without recent changes, which cause no notification.
 */
export const segmentsJobs = ({ db }: Deps): Job[] => [
  {
    name: 'build-lead-segments',
    interval: buildInterval,
    timeout: 600_000,
    isExclusive: true,
    workDelay: segmentsWorkDelay,
    run: async (signal) => {
      await buildChangedDays(db, signal)
    },
  },
  {
    name: 'build-lead-spans',
    interval: 300_000,
    timeout: 3_600_000,
    isExclusive: true,
    run: (signal) => buildSpans(db, { signal }),
  },
]
