import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { MailError } from '../../platform/mail/mail.error.ts'
import type { Mail, Mailer } from '../../platform/mail/mail.ts'
import { messageQueueJob } from '../../platform/queue/queue.job.ts'
import type { DeliveryFailure } from '../../platform/queue/queue.outcome.ts'
import type { Deps } from '../../platform/deps.ts'
import { tokenHash } from '../../platform/security/identities.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { accountLetter, resetLetter } from './accounts.letter.ts'
import { linkMinutes, mostMailsAnHour } from './accounts.limits.ts'

/** Milliseconds between two looks. Only a timer starts the job: when a mail leaves must not show when it was requested. */
const every = 2000
/** Milliseconds for one mail, less than its lease. */
const mailWithin = 60_000

/**
 * Sends each person whose address was given a link of their own, to the address as they have it: the one that was typed
 * may only look like it.
 */
export const resetMailsJob = (deps: Pick<Deps, 'pool' | 'log'>, mailer: Mailer, publicUrl: string): Job =>
  messageQueueJob(deps, {
    name: 'reset-mails',
    table: 'reset_mails',
    every,
    prepare: () => queueResetMails(deps.pool),
    deliver: async (id, signal) => send(mailer, await resetMail(deps.pool, id, publicUrl), signal),
  })

/** Tells people what changed of their account, at the address that they had before. */
export const accountMailsJob = (deps: Pick<Deps, 'pool' | 'log'>, mailer: Mailer): Job =>
  messageQueueJob(deps, {
    name: 'account-mails',
    table: 'account_mails',
    every,
    deliver: async (id, signal) => send(mailer, await accountMail(deps.pool, id), signal),
  })

/** `mail` is null where nobody needs it any more. */
async function send(mailer: Mailer, mail: Mail | null, signal: AbortSignal): Promise<DeliveryFailure | null> {
  if (mail === null) return { kind: 'rejected', reason: 'It could not be sent for a day, or nobody needs it' }
  try {
    await mailer.send(mail, AbortSignal.any([signal, AbortSignal.timeout(mailWithin)]))
    return null
  } catch (error) {
    if (error instanceof MailError) return error.failure
    throw error
  }
}

async function accountMail(pool: pg.Pool, id: number): Promise<Mail | null> {
  const { rows } = await pool.query<{ username: string; address: string; event: string }>(
    `select u.username, m.address, m.event from account_mails m join users u on u.id = m.user_id
     where m.id = $1 and m.status = 'queued' and m.created_at > now() - interval '7 days'`,
    [id],
  )
  const [mail] = rows
  return mail === undefined ? null : accountLetter(mail.address, mail.username, mail.event)
}

/** Makes a mail for each active person of every address that was asked for within a day, in one statement. */
const resetMailsText = `
  with asked as (
    delete from reset_requests where id in
      (select id from reset_requests order by id limit 500 for update skip locked)
    returning lower(email) as email, created_at
  )
  insert into reset_mails (user_id)
  select u.id from users u
  where u.is_active and lower(u.email) in (select email from asked where created_at > now() - interval '1 day')
    and (select count(*) from reset_mails m
      where m.user_id = u.id and m.created_at > now() - interval '1 hour') < ${mostMailsAnHour}`

async function queueResetMails(pool: pg.Pool): Promise<void> {
  await pool.query(resetMailsText)
}

/** Makes the link, as long as the mail is still wanted and not too old; its token goes into the mail alone. */
const linkText = `
  with mail as (
    select m.user_id, u.username, u.email from reset_mails m join users u on u.id = m.user_id
    where m.id = $1 and m.status = 'queued' and m.created_at > now() - interval '1 day' and u.is_active
    for update of m
  ), link as (
    insert into reset_links (token_hash, user_id, expires_at)
    select $2, user_id, now() + make_interval(mins => ${linkMinutes}) from mail
  )
  select username, email from mail`

async function resetMail(pool: pg.Pool, id: number, publicUrl: string): Promise<Mail | null> {
  const token = randomBytes(32).toString('base64url')
  const { rows } = await pool.query<{ username: string; email: string }>(linkText, [id, tokenHash(token)])
  const [person] = rows
  if (person === undefined) return null
  return resetLetter(person.email, person.username, `${publicUrl}/reset-password#token=${token}`)
}
