import type { DeliveryFailure } from '../queue/queue.outcome.ts'
import { MailError } from './mail.error.ts'
import type { Mail, Mailer } from './mail.ts'

/** Milliseconds for one mail. An attempt must end before the lease of its row in a queue. */
const mailTimeout = 60_000

/** Sends a mail of a queue. Answers why it failed, or null. */
export async function deliverMail(
  mailer: Mailer,
  mail: Mail,
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  try {
    await mailer.send(mail, AbortSignal.any([signal, AbortSignal.timeout(mailTimeout)]))
    return null
  } catch (error) {
    if (error instanceof MailError) return error.failure
    throw error
  }
}
