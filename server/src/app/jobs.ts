import type { Deps } from '../kit/deps.ts'
import type { Job } from '../kit/jobs.ts'
import { reportsJobs } from '../reports/reports.jobs.ts'

/** What runs in the background, each domain's own. Not in a process that serves the web alone. */
export const jobsOf = (deps: Deps): Job[] => [...reportsJobs(deps)]
