/** Why Telegram did not take something, and what to do. */
export type TelegramTrouble =
  /** It asks to wait so many seconds. */
  | { kind: 'slow_down'; seconds: number }
  /** The group is another chat by now: send it there at once. */
  | { kind: 'moved'; chat: string }
  /** Nothing helps until an admin changes something: no such chat, the bot was blocked, a wrong token. */
  | { kind: 'refused'; reason: string }
  /** Try again later. `unsure` when it may have arrived all the same. */
  | { kind: 'later'; reason: string; unsure: boolean }

export class TelegramError extends Error {
  readonly trouble: TelegramTrouble

  constructor(trouble: TelegramTrouble) {
    super(saidOf(trouble))
    this.name = 'TelegramError'
    this.trouble = trouble
  }
}

/** A trouble in plain words, for admins. */
export function saidOf(trouble: TelegramTrouble): string {
  switch (trouble.kind) {
    case 'slow_down':
      return `Too many requests: wait ${trouble.seconds} s`
    case 'moved':
      return `The group moved to the chat ${trouble.chat}`
    case 'refused':
    case 'later':
      return trouble.reason
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

/** Statuses that stay as they are until somebody changes the settings, or the file. */
const forGood: ReadonlySet<number> = new Set([400, 401, 403, 404, 413])

/** What an answer that is not ok means, as the Bot API documents it; all that it does not is for now. */
export function troubleOf({ status, description, parameters }: BotAnswer): TelegramTrouble {
  const moved = parameters?.migrate_to_chat_id
  if (typeof moved === 'number' || typeof moved === 'string') return { kind: 'moved', chat: String(moved) }
  if (status === 429) return { kind: 'slow_down', seconds: waitOf(parameters?.retry_after) }
  const reason = `Telegram answered ${status}${description === undefined ? '' : `: ${description.slice(0, 300)}`}`
  if (forGood.has(status)) return { kind: 'refused', reason }
  // A gateway that gave up waiting does not know what became of it; nor do we of an answer that is none.
  return { kind: 'later', reason, unsure: status === 504 || status < 500 }
}

const waitOf = (seconds: unknown) =>
  typeof seconds === 'number' && seconds > 0 ? Math.min(Math.ceil(seconds), 3600) : 30
