/** How the fake behaves: `ok`, or one of the bad days that the Bot API's documentation names. */
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
 * The chance of each a request, 0 to 1. `slow_down` asks to wait a second; `reset` drops the line before the document is
 * taken, `lost` after it; `migrate` moves the group to another chat, once more each time.
 */
export interface TelegramFaults {
  slow_down?: number
  broken?: number
  hang?: number
  reset?: number
  lost?: number
  migrate?: number
  /** Stands in for Math.random. */
  chance?: () => number
}

export interface Failure {
  status: number
  description: string
  parameters?: Record<string, unknown>
  text?: string
}

/** The chat that a group's members moved to, in mode `migrated`. */
export const migratedTo = -1009999
/** What whoever sends to a group's old chat is told. */
export const movedFailure = (to: number): Failure => ({
  status: 400,
  description: 'Bad Request: group chat was upgraded to a supergroup chat',
  parameters: { migrate_to_chat_id: to },
})

const tooMany = (seconds: number): Failure => ({
  status: 429,
  description: `Too Many Requests: retry after ${seconds}`,
  parameters: { retry_after: seconds },
})
const broken: Failure = { status: 500, description: 'Internal Server Error' }

const failures: Partial<Record<TelegramMode, Failure>> = {
  slow_down: tooMany(7),
  kicked: { status: 403, description: 'Forbidden: bot was kicked from the group chat' },
  no_chat: { status: 400, description: 'Bad Request: chat not found' },
  broken,
  garbage: { status: 502, description: '', text: '<html>Bad Gateway</html>' },
  migrated: movedFailure(migratedTo),
}

/** What a mode answers; null where it takes the document. `moved`: it came to the new chat already. */
export function failureOf(mode: TelegramMode, moved: boolean): Failure | null {
  if (mode === 'migrated' && moved) return null
  return failures[mode] ?? null
}

/** At most one of the faults strikes a request. */
export function struckBy(faults: TelegramFaults): 'hang' | 'reset' | 'lost' | 'migrate' | Failure | null {
  let left = (faults.chance ?? Math.random)()
  for (const kind of ['slow_down', 'broken', 'hang', 'reset', 'lost', 'migrate'] as const) {
    left -= faults[kind] ?? 0
    if (left >= 0) continue
    if (kind === 'slow_down') return tooMany(1)
    return kind === 'broken' ? broken : kind
  }
  return null
}
