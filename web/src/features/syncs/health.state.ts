import type { SyncHealth, SyncPart, SyncReason } from '@karvon/contract/lib/sync-health.ts'
import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import type { Tone } from '../../components/display/badge.tsx'
import { translateServerMessage } from '../../lib/server-messages.ts'
import { syncTexts as texts } from './syncs.texts.ts'

/** A state in words, with its colour. */
export interface SyncState {
  readonly tone: Tone
  readonly text: string
}

const finishedStates: Readonly<Record<SyncRun['status'], SyncState>> = {
  // The process of the run is gone. Another process continues it.
  running: { tone: 'wait', text: texts.states.interrupted },
  done: { tone: 'ok', text: texts.states.done },
  partial: { tone: 'wait', text: texts.states.partial },
  failed: { tone: 'bad', text: texts.states.failed },
}

const formatPart = (part: SyncPart, page: number | null): string =>
  page === null || page === 1 ? texts.parts[part] : texts.partPage({ part: texts.parts[part], page })

const createRunningState = (run: Pick<SyncRun, 'part' | 'page'> | null): SyncState => ({
  tone: 'info',
  text: run?.part ? texts.states.runningPart({ part: formatPart(run.part, run.page) }) : texts.states.running,
})

/** The state of a run. */
export const getRunState = (run: Pick<SyncRun, 'status' | 'part' | 'page'>): SyncState =>
  run.status === 'running' ? createRunningState(run) : finishedStates[run.status]

/**
 * The state of an account. `isRunRequested` is true from "Run now" until that run is over. `formatTime`
 * formats a time.
 */
export function getHealthState(
  health: SyncHealth | null,
  isRunRequested: boolean,
  formatTime: (iso: string) => string,
): SyncState {
  const { states } = texts
  if (health?.running) return createRunningState(health.last_run)
  if (isRunRequested) return { tone: 'wait', text: states.queued }
  const pausedUntil = health?.paused_until
  if (pausedUntil) return { tone: 'wait', text: states.resting({ until: formatTime(pausedUntil) }) }
  const run = health?.last_run
  return run ? finishedStates[run.status] : { tone: 'neutral', text: states.never }
}

function formatReason({ part, ...reason }: SyncReason): string {
  const text = translateServerMessage(reason)
  return part === null ? text : texts.partReason({ part: texts.parts[part], reason: text })
}

/**
 * Why a run failed, in the person's language. Runs of an older version have the English sentence only, and a server of an
 * older version sends no reasons.
 */
export const formatError = ({
  error,
  reasons = [],
}: Pick<SyncRun, 'error'> & Partial<Pick<SyncRun, 'reasons'>>): string | null =>
  reasons.length === 0 ? error : reasons.map(formatReason).join(' ')

/** Why the last run failed, and how often in a row if more than once. Null when all is well or during a run. */
export function getProblem(health: SyncHealth | null): string | null {
  if (health === null || health.running || health.last_run === null) return null
  const error = formatError(health.last_run)
  return error === null || health.failures < 2
    ? error
    : `${texts.failures({ count: health.failures })} ${error}`
}
