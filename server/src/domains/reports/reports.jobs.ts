import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { recountDaysJob } from './reports.days.ts'
import { foldJob } from './reports.fold.ts'

export const reportsJobs = (deps: Deps): Job[] => [foldJob(deps), recountDaysJob(deps)]
