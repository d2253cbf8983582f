import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { MailError } from '../../platform/mail/mail.error.ts'
import type { Mail, Mailer } from '../../platform/mail/mail.ts'
import { messageQueueJob } from '../../platform/queue/queue.job.ts'
import type { DeliveryFailure } from '../../platform/queue/queue.outcome.ts'
import type { Deps } from '../../platform/deps.ts'
import { hashToken } from '../../platform/security/identities.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { createAccountChangeMail, createResetMail } from './accounts.mail-texts.ts'
import { resetLinkMinutes, maxResetMailsPerHour } from './accounts.limits.ts'

/** Milliseconds between two runs. Only a timer starts the job: the time of a mail must not reveal the time of its request. */
const pollInterval = 2000
/** Maximum time to send one mail, in milliseconds. It is shorter than the lease of a mail. */
const mailTimeout = 60_000

/**
 * Sends a link to each person with a requested address. The mail goes to the stored address, because the typed address
 * may only look similar.
 */
export const resetMailsJob = (deps: Pick<Deps, 'pool' | 'log'>, mailer: Mailer, publicUrl: string): Job =>
  messageQueueJob(deps, {
    name: 'reset-mails',
    table: 'reset_mails',
    pollInterval: pollInterval,
    prepare: () => queueResetMails(deps.pool),
    deliver: async (id, signal) =>
      sendMail(mailer, await createResetLinkMail(deps.pool, id, publicUrl), signal),
  })

/** Mails people about changes of their account, to the address before the change. */
export const accountMailsJob = (deps: Pick<Deps, 'pool' | 'log'>, mailer: Mailer): Job =>
  messageQueueJob(deps, {
    name: 'account-mails',
    table: 'account_mails',
    pollInterval: pollInterval,
    deliver: async (id, signal) => sendMail(mailer, await readAccountMail(deps.pool, id), signal),
  })

/** `mail` is null if it is no longer needed. */
async function sendMail(
  mailer: Mailer,
  mail: Mail | null,
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  if (mail === null) return { kind: 'rejected', reason: 'It could not be sent for a day, or nobody needs it' }
  try {
    await mailer.send(mail, AbortSignal.any([signal, AbortSignal.timeout(mailTimeout)]))
    return null
  } catch (error) {
    if (error instanceof MailError) return error.failure
    throw error
  }
}

async function readAccountMail(pool: pg.Pool, id: number): Promise<Mail | null> {
  const { rows } = await pool.query<{ username: string; address: string; event: string }>(
    `select u.username, m.address, m.event from account_mails m join users u on u.id = m.user_id
     where m.id = $1 and m.status = 'queued' and m.created_at > now() - interval '7 days'`,
    [id],
  )
  const [mail] = rows
  return mail === undefined ? null : createAccountChangeMail(mail.address, mail.username, mail.event)
}

/** Creates a mail for each active person with an address that was requested within a day. One statement. */
const queueResetMailsText = `
  with requested as (
    delete from reset_requests where id in
      (select id from reset_requests order by id limit 500 for update skip locked)
    returning lower(email) as email, created_at
  )
  insert into reset_mails (user_id)
  select u.id from users u
  where u.is_active and lower(u.email) in (select email from requested where created_at > now() - interval '1 day')
    and (select count(*) from reset_mails m
      where m.user_id = u.id and m.created_at > now() - interval '1 hour') < ${maxResetMailsPerHour}`

async function queueResetMails(pool: pg.Pool): Promise<void> {
  await pool.query(queueResetMailsText)
}

/** Creates the link, if the mail is still queued and not older than a day. Only the mail contains the token. */
const createResetLinkText = `
  with mail as (
    select m.user_id, u.username, u.email from reset_mails m join users u on u.id = m.user_id
    where m.id = $1 and m.status = 'queued' and m.created_at > now() - interval '1 day' and u.is_active
    for update of m
  ), link as (
    insert into reset_links (token_hash, user_id, expires_at)
    select $2, user_id, now() + make_interval(mins => ${resetLinkMinutes}) from mail
  )
  select username, email from mail`

async function createResetLinkMail(pool: pg.Pool, id: number, publicUrl: string): Promise<Mail | null> {
  const token = randomBytes(32).toString('base64url')
  const { rows } = await pool.query<{ username: string; email: string }>(createResetLinkText, [
    id,
    hashToken(token),
  ])
  const [person] = rows
  if (person === undefined) return null
  return createResetMail(person.email, person.username, `${publicUrl}/reset-password#token=${token}`)
}
