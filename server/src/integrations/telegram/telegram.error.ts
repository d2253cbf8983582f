import { cutText } from '@karvon/contract/lib/cut-text.ts'
import type { DeliveryFailure } from '../../platform/queue/queue.outcome.ts'

/** The reason why Telegram refused a request. `movedTo`: the new id of a group that became a supergroup. */
export class TelegramError extends Error {
  readonly failure: DeliveryFailure
  readonly movedTo: string | undefined

  constructor(failure: DeliveryFailure, movedTo?: string) {
    super(failure.reason)
    this.name = 'TelegramError'
    this.failure = failure
    this.movedTo = movedTo
  }
}

/** An answer of the Bot API. `status` is the HTTP status, `movedTo` the new id of a group that became a supergroup. */
export interface BotAnswer {
  status: number
  ok: boolean
  result: unknown
  description: string | undefined
  retryAfter: number | undefined
  movedTo: string | undefined
}

/** An unknown chat, a blocked bot, a wrong token, a file that is too large: a retry cannot succeed without a change. */
const permanentStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 413])

/** Converts an answer that is not ok to an error, by the documentation of the Bot API. All other errors are temporary. */
export function toTelegramError({ status, description, retryAfter, movedTo }: BotAnswer): TelegramError {
  if (movedTo !== undefined) {
    const reason = `The group moved to the chat ${movedTo}`
    return new TelegramError({ kind: 'temporary', reason, mayHaveArrived: false }, movedTo)
  }
  if (status === 429) {
    const seconds = parseRetryAfter(retryAfter)
    return new TelegramError({
      kind: 'rate_limited',
      seconds,
      reason: `Too many requests: wait ${seconds} s`,
    })
  }
  const reason = `Telegram answered ${status}${description === undefined ? '' : `: ${cutText(description, 300)}`}`
  if (permanentStatuses.has(status)) return new TelegramError({ kind: 'rejected', reason })
  // After a timeout of a gateway, or an answer of another program, the message may have arrived.
  return new TelegramError({ kind: 'temporary', reason, mayHaveArrived: status === 504 || status < 500 })
}

const parseRetryAfter = (value: number | undefined) =>
  value !== undefined && value > 0 ? Math.min(Math.ceil(value), 3600) : 30
