import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { logPartitionsJob } from '../../platform/jobs/log-partitions.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'

/** Days that a postback stays in the log at least: its month is dropped as a whole. Its lead stays forever. */
export const retentionDays = 90

/** The second job deletes what the first one could not drop for a day: the partition before the first month may be years long. */
export const postbacksJobs = ({ db }: Pick<Deps, 'db'>): Job[] => [
  logPartitionsJob(db, { table: 'postbacks', unit: 'month', days: retentionDays }),
  retentionJob(db, { table: 'postbacks', timeColumn: 'at', days: retentionDays + 1, isByMonth: true }),
]
