import { hasMailServer, hasViewMessages } from '../../config.senders.ts'
import { openTelegram } from '../../integrations/telegram/telegram.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'
import { openMailer } from '../../platform/mail/mail.ts'
import { messageQueueJob } from '../../platform/queue/queue.job.ts'
import type { ReceiverCalls } from './view-messages.calls.ts'
import { moveDueSchedules, queueMessages, scheduleWorkDelay } from './view-messages.due.queries.ts'
import { sendViewMessage } from './view-messages.send.ts'

/** A message is not sent later than this after its due time, because its figures would mislead. */
const maxHoursLate = 6
/** Schedules that one transaction moves. */
const scheduleBatch = 100
const retentionDays = 30

/** The jobs that queue and send the messages of scheduled views. */
export function viewMessagesJobs(deps: Deps, calls: ReceiverCalls, pause = 1000): Job[] {
  const { db, config } = deps
  const telegram = openTelegram(config.telegram)
  const mailer = hasMailServer(config.mail) ? openMailer(config.mail.smtpUrl, config.mail.from) : null
  const retention = retentionJob(db, {
    table: 'view_messages',
    timeColumn: 'created_at',
    days: retentionDays,
  })
  if (!hasViewMessages(config)) return [retention]
  return [
    {
      name: 'view-schedules',
      interval: 60_000,
      timeout: 60_000,
      isExclusive: false,
      workDelay: scheduleWorkDelay,
      run: () =>
        inTransaction(db, async (trx) => {
          const due = await moveDueSchedules(trx, scheduleBatch, maxHoursLate)
          await queueMessages(trx, due)
          return { hasMore: due.length === scheduleBatch }
        }),
    },
    messageQueueJob(deps, {
      name: 'view-messages',
      table: 'view_messages',
      interval: 5000,
      pause,
      deliver: (id, signal) =>
        sendViewMessage(deps, { telegram, mailer, calls, id, hours: maxHoursLate }, signal),
    }),
    retention,
  ]
}
