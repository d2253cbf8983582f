import type { DeliveryFailure } from '../queue/queue.outcome.ts'

/** Why a mail server did not take a mail. */
export class MailError extends Error {
  readonly failure: DeliveryFailure

  constructor(failure: DeliveryFailure) {
    super(failure.reason)
    this.name = 'MailError'
    this.failure = failure
  }
}

/** What the mail library throws; `command` is where in the conversation it stood. */
interface Thrown {
  code?: string
  command?: string
  response?: string
  responseCode?: number
  syscall?: string
  timeoutType?: string
}

/**
 * What an error of the library means. A server may repeat the mail or the password in its text, so only its numbers are
 * kept. A refused recipient or mail is permanent. A wrong password or sender is for the operator to correct, and the
 * mail waits.
 */
export function failureOf(error: unknown, aborted: boolean): DeliveryFailure {
  const thrown = error as Thrown
  const { code = '', command = '', response = '', responseCode } = thrown
  if (aborted)
    return { kind: 'temporary', reason: 'The mail server did not answer in time', mayHaveArrived: true }
  if (responseCode === undefined) {
    const reason = `The mail server could not be reached${code === '' ? '' : ` (${code})`}`
    return { kind: 'temporary', reason, mayHaveArrived: wasConnected(thrown) }
  }
  const [, enhanced = ''] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const step = /^[A-Z ]{2,12}$/.test(command) ? ` to ${command}` : ''
  const reason = `The mail server answered ${responseCode}${enhanced === '' ? '' : ` ${enhanced}`}${step}`
  const isPermanent = responseCode >= 500 && (command === 'RCPT TO' || code === 'EMESSAGE')
  return isPermanent ? { kind: 'rejected', reason } : { kind: 'temporary', reason, mayHaveArrived: false }
}

/** Whether it broke off after it had begun to talk; all of the mail may have left by then. */
function wasConnected({ code = '', syscall, timeoutType }: Thrown): boolean {
  if (timeoutType !== undefined) return timeoutType === 'SOCKET_TIMEOUT'
  return ['ECONNECTION', 'ESOCKET', 'ECONNRESET', 'EPIPE'].includes(code) && syscall !== 'connect'
}
