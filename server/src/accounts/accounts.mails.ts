import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { MailError } from '../clients/mail.error.ts'
import type { Mailer } from '../clients/mail.ts'
import { claim, note, type Claimed } from '../kit/deliveries/deliveries.queue.ts'
import { verdict, type Ended } from '../kit/deliveries/deliveries.verdict.ts'
import type { Deps } from '../kit/deps.ts'
import { tokenHash } from '../kit/identities.ts'
import type { Job } from '../kit/jobs.ts'
import { patiently } from '../kit/patient.ts'
import { isDatabaseAway } from '../kit/pg-errors.ts'
import { resetLetter } from './accounts.letter.ts'
import { linkMinutes, mostMailsAnHour } from './accounts.limits.ts'

/** Milliseconds for one mail, less than its lease; and for what is under way when the process is told to stop. */
const longest = 60_000
const grace = 6000

/**
 * Sends each person whose address was given a link of their own, to the address as they have it: the one that was typed
 * may only look like it. A kill between two steps repeats a mail at the worst, and loses none.
 */
export function resetMailsJob(deps: Pick<Deps, 'pool' | 'log'>, mailer: Mailer, publicUrl: string): Job {
  const { pool, log } = deps
  return {
    name: 'reset-mails',
    // Nobody rings for it: when a mail leaves must not follow from when it was asked for.
    every: 2000,
    timeout: 600_000,
    alone: false,
    async run(signal) {
      await spread(pool)
      while (!signal.aborted) {
        const claimed = await claim(pool, 'reset_mails')
        if (claimed === null) return
        const ended = await attempt(pool, mailer, publicUrl, claimed, signal)
        if (ended.last_error !== null)
          log.warn({ mail: claimed.id }, `A mail was not sent: ${ended.last_error}`)
        await patiently(() => note(pool, 'reset_mails', claimed, ended))
      }
    },
  }
}

/** Makes a mail for each active person of every address that was asked for, in one statement. */
const spreadText = `
  with asked as (
    delete from reset_requests where id in
      (select id from reset_requests order by id limit 500 for update skip locked)
    returning lower(email) as email
  )
  insert into reset_mails (user_id)
  select u.id from users u
  where u.is_active and lower(u.email) in (select email from asked)
    and (select count(*) from reset_mails m
      where m.user_id = u.id and m.created_at > now() - interval '1 hour') < ${mostMailsAnHour}`

async function spread(pool: pg.Pool): Promise<void> {
  await pool.query(spreadText)
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

async function attempt(
  pool: pg.Pool,
  mailer: Mailer,
  publicUrl: string,
  { id, attempts }: Claimed,
  stopping: AbortSignal,
): Promise<Ended> {
  const token = randomBytes(32).toString('base64url')
  const { rows } = await pool.query<{ username: string; email: string }>(linkText, [id, tokenHash(token)])
  const [person] = rows
  if (person === undefined) {
    return verdict(
      { kind: 'refused', reason: 'It could not be sent for a day, or nobody needs it' },
      attempts,
    )
  }
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), longest)
  const hurry = () => setTimeout(() => late.abort(), grace).unref()
  stopping.addEventListener('abort', hurry, { once: true })
  try {
    const link = `${publicUrl}/reset-password#token=${token}`
    await mailer.send(resetLetter(person.email, person.username, link), late.signal)
    return verdict(null, attempts)
  } catch (error) {
    if (error instanceof MailError) return verdict(error.trouble, attempts)
    if (isDatabaseAway(error)) throw error
    return verdict({ kind: 'later', reason: 'It failed in an unforeseen way', unsure: true }, attempts)
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', hurry)
  }
}
