import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'

/** Days that a postback stays in the log. Its lead stays forever. */
export const retentionDays = 90

export const postbacksJobs = ({ db }: Deps): Job[] => [
  retentionJob(db, { table: 'postbacks', timeColumn: 'at', days: retentionDays }),
]
