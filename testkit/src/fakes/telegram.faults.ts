/** The behaviour of the fake: `ok`, or a failure from the documentation of the Bot API. */
export type TelegramMode =
  | 'ok'
  | 'slow'
  | 'slow_down'
  | 'kicked'
  | 'no_chat'
  | 'migrated'
  | 'broken'
  | 'garbage'
  | 'hang'
  | 'reset'

/**
 * The probability of each fault per request, from 0 to 1. `slow_down` requests a pause of a second; `reset` drops the
 * connection before the document is accepted, `lost` after that; `migrate` moves the group to a new chat each time.
 */
export interface TelegramFaults {
  slow_down?: number
  broken?: number
  hang?: number
  reset?: number
  lost?: number
  migrate?: number
  /** Replaces Math.random. */
  chance?: () => number
}

export interface Failure {
  status: number
  description: string
  parameters?: Record<string, unknown>
  text?: string
}

/** The new chat of the group in mode `migrated`. */
export const migratedChatId = -1009999
/** The answer to a message for the group's old chat. */
export const chatMigratedFailure = (to: number): Failure => ({
  status: 400,
  description: 'Bad Request: group chat was upgraded to a supergroup chat',
  parameters: { migrate_to_chat_id: to },
})

const tooMany = (seconds: number): Failure => ({
  status: 429,
  description: `Too Many Requests: retry after ${seconds}`,
  parameters: { retry_after: seconds },
})
const serverFailure: Failure = { status: 500, description: 'Internal Server Error' }

const failures: Partial<Record<TelegramMode, Failure>> = {
  slow_down: tooMany(7),
  kicked: { status: 403, description: 'Forbidden: bot was kicked from the group chat' },
  no_chat: { status: 400, description: 'Bad Request: chat not found' },
  broken: serverFailure,
  garbage: { status: 502, description: '', text: '<html>Bad Gateway</html>' },
  migrated: chatMigratedFailure(migratedChatId),
}

/** The failure of a mode; null if the document is accepted. `isMoved`: the request is for the new chat. */
export function failureOf(mode: TelegramMode, isMoved: boolean): Failure | null {
  if (mode === 'migrated' && isMoved) return null
  return failures[mode] ?? null
}

/** Picks the fault of one request, at most one. */
export function pickTelegramFault(
  faults: TelegramFaults,
): 'hang' | 'reset' | 'lost' | 'migrate' | Failure | null {
  let remaining = (faults.chance ?? Math.random)()
  for (const kind of ['slow_down', 'broken', 'hang', 'reset', 'lost', 'migrate'] as const) {
    remaining -= faults[kind] ?? 0
    if (remaining >= 0) continue
    if (kind === 'slow_down') return tooMany(1)
    return kind === 'broken' ? serverFailure : kind
  }
  return null
}
