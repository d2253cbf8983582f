import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { pruneSignInData } from './auth.limits.queries.ts'

export const signInRetentionJob = ({ pool, config }: Deps): Job => ({
  name: 'sign-in-retention',
  interval: 3_600_000,
  timeout: 60_000,
  isExclusive: true,
  run: () => pruneSignInData(pool, config.session.idleDays),
})
