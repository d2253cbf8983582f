import type { DeliveryFailure } from '../queue/queue.outcome.ts'

/** Why a mail server did not accept a mail. */
export class MailError extends Error {
  readonly failure: DeliveryFailure

  constructor(failure: DeliveryFailure) {
    super(failure.reason)
    this.name = 'MailError'
    this.failure = failure
  }
}

/** An error of the mail library. `command` is the SMTP command that failed. */
interface MailLibraryError {
  code?: string
  command?: string
  response?: string
  responseCode?: number
  syscall?: string
  timeoutType?: string
}

/**
 * Converts an error of the library. The answer of a server may repeat the mail or the password, so only its codes are
 * kept. A refused recipient or mail is permanent. A wrong password or sender is temporary, because the operator can
 * correct it.
 */
export function toDeliveryFailure(error: unknown, isAborted: boolean): DeliveryFailure {
  const mailError = error as MailLibraryError
  const { code = '', command = '', response = '', responseCode } = mailError
  if (isAborted)
    return { kind: 'temporary', reason: 'The mail server did not answer in time', mayHaveArrived: true }
  if (responseCode === undefined) {
    const reason = `The mail server could not be reached${code === '' ? '' : ` (${code})`}`
    return { kind: 'temporary', reason, mayHaveArrived: wasConnected(mailError) }
  }
  const [, enhancedCode = ''] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const step = /^[A-Z ]{2,12}$/.test(command) ? ` to ${command}` : ''
  const reason = `The mail server answered ${responseCode}${enhancedCode === '' ? '' : ` ${enhancedCode}`}${step}`
  const isPermanent = responseCode >= 500 && (command === 'RCPT TO' || code === 'EMESSAGE')
  return isPermanent ? { kind: 'rejected', reason } : { kind: 'temporary', reason, mayHaveArrived: false }
}

/** Whether the connection broke after it was established: the mail may have arrived. */
function wasConnected({ code = '', syscall, timeoutType }: MailLibraryError): boolean {
  if (timeoutType !== undefined) return timeoutType === 'SOCKET_TIMEOUT'
  return ['ECONNECTION', 'ESOCKET', 'ECONNRESET', 'EPIPE'].includes(code) && syscall !== 'connect'
}
