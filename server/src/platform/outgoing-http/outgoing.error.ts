import type { Reason } from '@karvon/contract/lib/problem.ts'
import { describeSync } from '@karvon/contract/lib/sync-messages.ts'

/**
 * Why an outgoing call has no answer. `forbidden`: the call is not allowed, and nothing was sent. `redirect`: the
 * answer is a redirect. `too_large`: the answer is above `maxBytes`. `timeout` and `unreachable`: a retry may work.
 *
 * Admins read the reason. It may have the host, but never a path, a query or a secret.
 */
export class OutgoingError extends Error {
  readonly kind: 'forbidden' | 'unreachable' | 'timeout' | 'too_large' | 'redirect'
  readonly reason: Reason

  constructor(kind: OutgoingError['kind'], reason: Reason) {
    super(reason.message)
    this.name = 'OutgoingError'
    this.kind = kind
    this.reason = reason
  }
}

/** Converts an error of undici or the system. Its message is dropped, because it may have the URL. */
export function toOutgoingError(error: unknown, host: string): OutgoingError {
  const outgoingError = listCauses(error).find((cause) => cause instanceof OutgoingError)
  if (outgoingError) return outgoingError
  const code = listCauses(error)
    .map((cause) => (cause as NodeJS.ErrnoException).code)
    .find((cause) => typeof cause === 'string')
  switch (code ?? '') {
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
    case 'ETIMEDOUT':
      return new OutgoingError('timeout', describeSync('host_timeout', { host }))
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new OutgoingError('too_large', describeSync('host_headers', { host }))
    case 'UND_ERR_INVALID_ARG':
      return new OutgoingError('forbidden', describeSync('header_not_allowed', { host }))
    default:
      return new OutgoingError(
        'unreachable',
        code
          ? describeSync('host_unreachable_code', { host, code })
          : describeSync('host_unreachable', { host }),
      )
  }
}

/** An error and all its causes, including one for each address that was tried. */
function listCauses(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const parts: unknown[] = error instanceof AggregateError ? error.errors : []
  return [error, ...parts, error.cause].flatMap((cause) => (cause === error ? [error] : listCauses(cause)))
}
