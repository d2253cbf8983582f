import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { deliverMail } from '../../platform/mail/mail.delivery.ts'
import type { Mail, Mailer } from '../../platform/mail/mail.ts'
import { messageQueueJob } from '../../platform/queue/queue.job.ts'
import type { DeliveryFailure } from '../../platform/queue/queue.outcome.ts'
import type { Deps } from '../../platform/deps.ts'
import { hashToken } from '../../platform/security/identities.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { createAccountChangeMail, createResetMail } from './accounts.mails.texts.ts'
import { findAccountMail, insertResetLink, queueResetMails } from './accounts.reset.queries.ts'

/** Milliseconds between two runs. Only a timer starts the job: the time of a mail must not reveal the time of its request. */
const resetMailsInterval = 10_000
/** Milliseconds between two runs while mails are due that a run does not take. */
const accountMailsInterval = 5000

/**
 * Sends a link to each person with a requested address. The mail goes to the stored address, because the typed address
 * may only look similar.
 */
export const resetMailsJob = (deps: Pick<Deps, 'pool' | 'log'>, mailer: Mailer, publicUrl: string): Job =>
  messageQueueJob(deps, {
    name: 'reset-mails',
    table: 'reset_mails',
    interval: resetMailsInterval,
    prepare: () => queueResetMails(deps.pool),
    deliver: async (id, signal) =>
      sendMail(mailer, await createResetLinkMail(deps.pool, id, publicUrl), signal),
  })

/** Mails people about changes of their account, to the address before the change. */
export const accountMailsJob = (deps: Pick<Deps, 'pool' | 'log'>, mailer: Mailer): Job =>
  messageQueueJob(deps, {
    name: 'account-mails',
    table: 'account_mails',
    interval: accountMailsInterval,
    deliver: async (id, signal) => sendMail(mailer, await readAccountMail(deps.pool, id), signal),
  })

/** `mail` is null if it is no longer needed. */
async function sendMail(
  mailer: Mailer,
  mail: Mail | null,
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  if (mail === null) return { kind: 'rejected', reason: 'It could not be sent in time, or nobody needs it' }
  return deliverMail(mailer, mail, signal)
}

async function readAccountMail(pool: pg.Pool, id: number): Promise<Mail | null> {
  const mail = await findAccountMail(pool, id)
  return mail === undefined ? null : createAccountChangeMail(mail, mail.event)
}

async function createResetLinkMail(pool: pg.Pool, id: number, publicUrl: string): Promise<Mail | null> {
  const token = randomBytes(32).toString('base64url')
  const person = await insertResetLink(pool, id, hashToken(token))
  if (person === undefined) return null
  return createResetMail(person, `${publicUrl}/reset-password#token=${token}`)
}
