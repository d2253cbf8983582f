import { MailError } from '../clients/mail.error.ts'
import type { Mail, Mailer } from '../clients/mail.ts'
import { claim, note, type Claimed } from '../kit/deliveries/deliveries.queue.ts'
import { verdict, type Ended } from '../kit/deliveries/deliveries.verdict.ts'
import type { Deps } from '../kit/deps.ts'
import type { Job } from '../kit/jobs.ts'
import { patiently } from '../kit/patient.ts'
import { isDatabaseAway } from '../kit/pg-errors.ts'

/** Milliseconds for one mail, less than its lease; and for what is under way when the process is told to stop. */
const longest = 60_000
const grace = 6000

/** A queue of mails. `prepare` fills it; `mailOf` writes the mail of a row, null where nobody needs it any more. */
export interface MailQueue {
  name: string
  table: 'reset_mails' | 'account_mails'
  prepare?: () => Promise<void>
  mailOf: (id: number) => Promise<Mail | null>
}

/** Sends what is due in a queue of mails. A kill between two steps repeats a mail at the worst, and loses none. */
export function mailQueueJob({ pool, log }: Pick<Deps, 'pool' | 'log'>, mailer: Mailer, of: MailQueue): Job {
  return {
    name: of.name,
    // A timer alone starts it: when a mail leaves must not follow from when somebody asked for it.
    every: 2000,
    timeout: 600_000,
    alone: false,
    async run(signal) {
      await of.prepare?.()
      while (!signal.aborted) {
        const claimed = await claim(pool, of.table)
        if (claimed === null) return
        const ended = await attempt(mailer, of, claimed, signal)
        if (ended.last_error !== null)
          log.warn({ mail: claimed.id }, `A mail was not sent: ${ended.last_error}`)
        await patiently(() => note(pool, of.table, claimed, ended))
      }
    },
  }
}

async function attempt(
  mailer: Mailer,
  { mailOf }: MailQueue,
  { id, attempts }: Claimed,
  stopping: AbortSignal,
): Promise<Ended> {
  const mail = await mailOf(id)
  if (mail === null) {
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
    await mailer.send(mail, late.signal)
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
