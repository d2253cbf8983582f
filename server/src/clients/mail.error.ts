/** Why a mail server did not take a mail, and what to do. */
export type MailTrouble =
  /** This person's address is refused for good. */
  | { kind: 'refused'; reason: string }
  /** Try again later. `unsure` when it may have arrived all the same. */
  | { kind: 'later'; reason: string; unsure: boolean }

export class MailError extends Error {
  readonly trouble: MailTrouble

  constructor(trouble: MailTrouble) {
    super(trouble.reason)
    this.name = 'MailError'
    this.trouble = trouble
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
 * What an error of the library means. A server may repeat the mail or the password in its words, so that nothing of
 * them goes on but its numbers. Only what it says of the recipient or the mail is for good: a wrong password or a sender
 * that it does not want is for the operator to mend, and the mail waits.
 */
export function troubleOf(error: unknown, aborted: boolean): MailTrouble {
  const thrown = error as Thrown
  const { code = '', command = '', response = '', responseCode } = thrown
  if (aborted) return { kind: 'later', reason: 'The mail server did not answer in time', unsure: true }
  if (responseCode === undefined) {
    const reason = `The mail server could not be reached${code === '' ? '' : ` (${code})`}`
    return { kind: 'later', reason, unsure: wasConnected(thrown) }
  }
  const [, enhanced = ''] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const step = /^[A-Z ]{2,12}$/.test(command) ? ` to ${command}` : ''
  const reason = `The mail server answered ${responseCode}${enhanced === '' ? '' : ` ${enhanced}`}${step}`
  const forGood = responseCode >= 500 && (command === 'RCPT TO' || code === 'EMESSAGE')
  return forGood ? { kind: 'refused', reason } : { kind: 'later', reason, unsure: false }
}

/** Whether it broke off after it had begun to talk; all of the mail may have left by then. */
function wasConnected({ code = '', syscall, timeoutType }: Thrown): boolean {
  if (timeoutType !== undefined) return timeoutType === 'SOCKET_TIMEOUT'
  return ['ECONNECTION', 'ESOCKET', 'ECONNRESET', 'EPIPE'].includes(code) && syscall !== 'connect'
}
