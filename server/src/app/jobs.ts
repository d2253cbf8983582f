import { accountsJobs } from '../accounts/accounts.jobs.ts'
import type { Deps } from '../kit/deps.ts'
import { keysJob } from '../kit/idempotency.store.ts'
import type { Job } from '../kit/jobs.ts'
import { syncJobs } from '../kit/syncs/syncs.engine.ts'
import { leadRemapsJob } from '../leads/leads.jobs.ts'
import { noticesJobs } from '../notices/notices.jobs.ts'
import { outgoingPostbacksJob } from '../outgoing-postbacks/outgoing-postbacks.job.ts'
import { outgoingRetention } from '../outgoing-postbacks/outgoing-postbacks.retention.ts'
import { takeOrders } from '../parcels/parcels.orders.ts'
import { postbacksJobs } from '../postbacks/postbacks.jobs.ts'
import { reportsJobs } from '../reports/reports.jobs.ts'
import { syncsJobs } from '../syncs/syncs.jobs.ts'
import { uploadScansJob, uploadsJob, uploadsRetentionJobs } from '../uploads/uploads.job.ts'
import { clockSetBackJob } from './clock.jobs.ts'
import { figuresOfDays } from './notices.ts'
import { lateLeadsJob } from './parcel-leads.late.ts'
import { syncKinds } from './syncs.ts'

/** What runs in the background, each domain's own. Not in a process that serves the web alone. */
export const jobsOf = (deps: Deps): Job[] => [
  ...accountsJobs(deps),
  ...reportsJobs(deps),
  ...postbacksJobs(deps),
  leadRemapsJob(deps),
  lateLeadsJob(deps),
  outgoingPostbacksJob(deps),
  outgoingRetention(deps),
  ...uploadsJob(deps),
  ...uploadsRetentionJobs(deps),
  ...uploadScansJob(deps, (...asked) => takeOrders(deps, ...asked)),
  ...noticesJobs(deps, figuresOfDays(deps)),
  ...syncJobs(deps, syncKinds(deps)),
  ...syncsJobs(deps),
  keysJob(deps.db),
  clockSetBackJob(deps),
]
