import type { DeliveryFailure } from '../../platform/queue/queue.outcome.ts'

/** Why Telegram did not take a request. `movedTo`: the new id of a group that became a supergroup. */
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

/** What the Bot API answers; `status` is HTTP's. */
export interface BotAnswer {
  status: number
  ok: boolean
  result?: unknown
  description?: string
  parameters?: { retry_after?: unknown; migrate_to_chat_id?: unknown }
}

/** No chat, a bot that was blocked, a wrong token, a file too large: a person has to change something first. */
const permanentStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 413])

/** The error for an answer that is not ok, as the Bot API documents it. What it does not document is temporary. */
export function errorOfAnswer({ status, description, parameters }: BotAnswer): TelegramError {
  const moved = parameters?.migrate_to_chat_id
  if (typeof moved === 'number' || typeof moved === 'string') {
    const reason = `The group moved to the chat ${moved}`
    return new TelegramError({ kind: 'temporary', reason, mayHaveArrived: false }, String(moved))
  }
  if (status === 429) {
    const seconds = secondsOf(parameters?.retry_after)
    return new TelegramError({
      kind: 'rate_limited',
      seconds,
      reason: `Too many requests: wait ${seconds} s`,
    })
  }
  const reason = `Telegram answered ${status}${description === undefined ? '' : `: ${description.slice(0, 300)}`}`
  if (permanentStatuses.has(status)) return new TelegramError({ kind: 'rejected', reason })
  // A gateway that timed out does not know whether the message went on. Neither does an answer that is no Bot API answer.
  return new TelegramError({ kind: 'temporary', reason, mayHaveArrived: status === 504 || status < 500 })
}

const secondsOf = (value: unknown) =>
  typeof value === 'number' && value > 0 ? Math.min(Math.ceil(value), 3600) : 30
