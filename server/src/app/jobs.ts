import { accountsJobs } from '../domains/accounts/accounts.jobs.ts'
import type { Deps } from '../platform/deps.ts'
import { keysJob } from '../platform/http/idempotency.store.ts'
import type { Job } from '../platform/jobs/jobs.ts'
import { syncJobs } from '../domains/syncs/syncs.engine.ts'
import { leadRemapsJob } from '../domains/leads/leads.jobs.ts'
import { noticesJobs } from '../domains/notices/notices.jobs.ts'
import { outgoingPostbacksJob } from '../domains/outgoing-postbacks/outgoing-postbacks.job.ts'
import { outgoingRetention } from '../domains/outgoing-postbacks/outgoing-postbacks.retention.ts'
import { takeOrders } from '../domains/parcels/parcels.orders.ts'
import { postbacksJobs } from '../domains/postbacks/postbacks.jobs.ts'
import { reportsJobs } from '../domains/reports/reports.jobs.ts'
import { syncsJobs } from '../domains/syncs/syncs.jobs.ts'
import { uploadScansJob, uploadsJob, uploadsRetentionJobs } from '../domains/uploads/uploads.job.ts'
import { clockSetBackJob } from './clock.jobs.ts'
import { figuresOfDays } from './notices.ts'
import { lateLeadsJob } from '../domains/parcels/parcel-leads.late.ts'
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
