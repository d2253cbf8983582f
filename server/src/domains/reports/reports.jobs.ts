import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { recountDaysJob, type TimeZoneUpdate } from './reports.days.ts'
import { recountStatusesJob } from './reports.recounts.ts'
import { countLeadStatusesJob } from './reports.statuses.ts'
import {
  foldDeltas,
  foldTimeout,
  foldWorkDelay,
  maxDeltasPerFold,
  vacuumDeltas,
} from './reports.fold.queries.ts'

/** A fold of more deltas than this vacuums the table; for fewer, autovacuum is enough. */
const vacuumThreshold = 5000

const foldJob = ({ db, sessionPool }: Deps): Job => ({
  name: 'fold-lead-deltas',
  interval: 1000,
  timeout: foldTimeout,
  isExclusive: true,
  wakeDelay: 1000,
  workDelay: foldWorkDelay,
  run: async () => {
    const foldedCount = await foldDeltas(db)
    // Every report reads the whole delta table, so it must stay small.
    if (foldedCount > vacuumThreshold) await vacuumDeltas(sessionPool)
    return { hasMore: foldedCount === maxDeltasPerFold }
  },
})

export const reportsJobs = (deps: Deps, updateOtherDomains: TimeZoneUpdate = async () => {}): Job[] => [
  foldJob(deps),
  recountDaysJob(deps, updateOtherDomains),
  countLeadStatusesJob(deps),
  recountStatusesJob(deps),
]
