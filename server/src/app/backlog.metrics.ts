import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { hasBot, hasMailServer, hasResetMails, hasUploadChat, hasViewMessages } from '../config.senders.ts'
import { registerDatabaseGauges } from '../platform/metrics/metrics.gauges.ts'
import { readBacklog } from './backlog.queries.ts'

const gauges = {
  waiting: {
    name: 'karvon_queue_waiting_seconds',
    help: 'Seconds for which the oldest due entry of a queue has waited, over all processes',
    labelNames: ['queue'],
  },
  deltas: {
    name: 'karvon_lead_deltas',
    help: 'Changes of leads that are not yet in the totals of reports, at most 100000',
    labelNames: [],
  },
  ledgerDeltas: {
    name: 'karvon_ledger_deltas',
    help: 'Entries of the ledger that are not yet in the sums of balances, at most 100000',
    labelNames: [],
  },
  recounts: {
    name: 'karvon_status_recounts',
    help: 'Statuses whose type changed and whose leads are being moved to another report column',
    labelNames: [],
  },
  remaps: {
    name: 'karvon_lead_remaps',
    help: 'Changed mappings that are not yet applied to the stored leads',
    labelNames: [],
  },
  postings: {
    name: 'karvon_lead_postings',
    help: 'Changes of statuses and streams whose leads are not yet posted to the ledger',
    labelNames: [],
  },
  postback: {
    name: 'karvon_last_postback_timestamp_seconds',
    help: 'When the newest postback arrived, in seconds since 1970; absent without a postback',
    labelNames: [],
  },
}

/** Queues that no job of this installation sends, because it has no bot or no mail server. Their entries are not late. */
function listQueuesWithoutSender(config: Config): Set<string> {
  const hasSender = {
    uploads: hasUploadChat(config.telegram),
    notices: hasBot(config.telegram),
    'account-mails': hasMailServer(config.mail),
    'reset-mails': hasResetMails(config),
    'view-messages': hasViewMessages(config),
  }
  return new Set(Object.entries(hasSender).flatMap(([queue, isSent]) => (isSent ? [] : [queue])))
}

/** Registers gauges that show how far the jobs of all processes are behind. */
export function registerBacklogGauges(
  registry: Registry,
  { pool, config }: { pool: pg.Pool; config: Config },
): void {
  const queuesWithoutSender = listQueuesWithoutSender(config)
  registerDatabaseGauges(registry, gauges, async (ownGauges) => {
    const backlog = await readBacklog(pool)
    for (const [queue, seconds] of Object.entries(backlog.waitingSeconds))
      ownGauges.waiting.set({ queue }, queuesWithoutSender.has(queue) ? 0 : seconds)
    ownGauges.deltas.set(backlog.leadDeltas)
    ownGauges.ledgerDeltas.set(backlog.ledgerDeltas)
    ownGauges.recounts.set(backlog.statusRecounts)
    ownGauges.remaps.set(backlog.leadRemaps)
    ownGauges.postings.set(backlog.leadPostings)
    if (backlog.lastPostbackAt === null) ownGauges.postback.remove()
    else ownGauges.postback.set(backlog.lastPostbackAt)
  })
}
