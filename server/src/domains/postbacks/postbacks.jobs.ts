import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'

/** Days that a hit stays in the log. Its lead stays for good. */
export const keptDays = 90

export const postbacksJobs = ({ db }: Deps): Job[] => [
  retentionJob(db, { table: 'postbacks', at: 'at', days: keptDays }),
]
