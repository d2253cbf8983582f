import type { Deps } from '../kit/deps.ts'
import type { Job } from '../kit/jobs.ts'
import { retentionJob } from '../kit/retention.ts'

/** Days that a hit stays in the log. Its lead stays for good. */
export const keptDays = 90

export const postbacksJobs = ({ db }: Deps): Job[] => [
  retentionJob(db, { table: 'postbacks', at: 'at', days: keptDays }),
]
