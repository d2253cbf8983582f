/**
 * Why an outgoing call gave no answer. `forbidden`: it must not be made, and nothing was sent. `redirect`: the
 * answer points elsewhere. `too_large`: more than was asked to be taken. `timeout` and `unreachable`: it may
 * work another time.
 *
 * The message is for an admin: it names the host at the most, never a path, a query or a secret.
 */
export class OutgoingError extends Error {
  readonly kind: 'forbidden' | 'unreachable' | 'timeout' | 'too_large' | 'redirect'

  constructor(kind: OutgoingError['kind'], message: string) {
    super(message)
    this.name = 'OutgoingError'
    this.kind = kind
  }
}

/** What undici or the system threw, without its own text, which may hold the address. */
export function failureOf(error: unknown, host: string): OutgoingError {
  const own = causesOf(error).find((each) => each instanceof OutgoingError)
  if (own) return own
  const code = causesOf(error)
    .map((each) => (each as NodeJS.ErrnoException).code)
    .find((each) => typeof each === 'string')
  switch (code ?? '') {
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
    case 'ETIMEDOUT':
      return new OutgoingError('timeout', `${host} did not answer in time.`)
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new OutgoingError('too_large', `${host} answered with too many headers.`)
    default:
      return new OutgoingError('unreachable', `${host} gave no usable answer${code ? ` (${code})` : ''}.`)
  }
}

/** An error and what it was made from, an attempt at each of several addresses included. */
function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const parts: unknown[] = error instanceof AggregateError ? error.errors : []
  return [error, ...parts, error.cause].flatMap((each) => (each === error ? [error] : causesOf(each)))
}
