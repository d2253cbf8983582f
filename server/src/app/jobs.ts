import { accountsJobs } from '../domains/accounts/accounts.jobs.ts'
import { alertsJobs } from '../domains/alerts/alerts.job.ts'
import { signInRetentionJob } from '../domains/auth/auth.jobs.ts'
import { auditJob } from '../domains/audit/audit.jobs.ts'
import type { Deps } from '../platform/deps.ts'
import type { Db } from '../platform/database/pool.ts'
import { idempotencyRetentionJob } from '../platform/http/idempotency.queries.ts'
import type { Job } from '../platform/jobs/jobs.ts'
import { viewMessagesJobs } from '../domains/view-messages/view-messages.jobs.ts'
import { rescheduleViews } from '../domains/saved-views/saved-views.schedule.queries.ts'
import { createSyncJobs } from '../domains/syncs/syncs.engine.ts'
import { ledgerJobs } from '../domains/ledger/ledger.jobs.ts'
import { interruptedImportsJob } from '../domains/imports/imports.jobs.ts'
import { leadRemapsJob } from '../domains/leads/leads.jobs.ts'
import { botJobs, noticesJobs } from '../domains/notices/notices.jobs.ts'
import { outgoingPostbacksJob } from '../domains/outgoing-postbacks/outgoing-postbacks.job.ts'
import { outgoingRetention } from '../domains/outgoing-postbacks/outgoing-postbacks.retention.ts'
import { postbacksJobs } from '../domains/postbacks/postbacks.jobs.ts'
import { reportsJobs } from '../domains/reports/reports.jobs.ts'
import { segmentsJobs } from '../domains/segments/segments.jobs.ts'
import { syncsJobs } from '../domains/syncs/syncs.jobs.ts'
import { uploadScansJob, uploadsJob, uploadsRetentionJobs } from '../domains/uploads/uploads.job.ts'
import { clockSetBackJob } from './clock.jobs.ts'
import { createBotReader } from './bot.ts'
import { createNoticeReaders } from './notices.ts'
import { applyStoredOutcomes, lateLeadsJob } from '../domains/parcels/parcels.late-leads.ts'
import { resettleParcels, settlementDifferencesJob } from '../domains/settlements/settlements.job.ts'
import { missingMoneyNoticesJob } from '../domains/settlements/settlements.notices.ts'
import { createReceiverCalls } from './receiver-calls.ts'
import { syncKinds } from './syncs.ts'

/** Recalculates what the domains besides the reports store by the time zone. */
async function updateOtherDomains(db: Db, signal: AbortSignal): Promise<void> {
  await rescheduleViews(db)
  await resettleParcels(db, signal)
}

/** The background jobs of all domains. A process with KARVON_PROCESS=web runs none. */
export const createJobs = (deps: Deps): Job[] => [
  ...accountsJobs(deps),
  ...alertsJobs(deps),
  auditJob(deps),
  signInRetentionJob(deps),
  ...reportsJobs(deps, updateOtherDomains),
  ...segmentsJobs(deps),
  ...postbacksJobs(deps),
  leadRemapsJob(deps),
  ...ledgerJobs(deps, (trx, ids) => applyStoredOutcomes(trx, { ids })),
  interruptedImportsJob(deps),
  lateLeadsJob(deps),
  settlementDifferencesJob(deps),
  missingMoneyNoticesJob(deps),
  outgoingPostbacksJob(deps),
  outgoingRetention(deps),
  ...uploadsJob(deps),
  ...uploadsRetentionJobs(deps),
  ...uploadScansJob(deps),
  ...botJobs(deps, createBotReader(deps)),
  ...noticesJobs(deps, createNoticeReaders(deps)),
  ...viewMessagesJobs(deps, createReceiverCalls(deps)),
  ...createSyncJobs(deps, syncKinds(deps)),
  ...syncsJobs(deps),
  idempotencyRetentionJob(deps.db),
  clockSetBackJob(deps),
]
