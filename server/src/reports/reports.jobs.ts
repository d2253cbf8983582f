import type { Deps } from '../kit/deps.ts'
import type { Job } from '../kit/jobs.ts'
import { daysJob } from './reports.days.ts'
import { foldJob } from './reports.fold.ts'

export const reportsJobs = (deps: Deps): Job[] => [foldJob(deps), daysJob(deps)]
