import type { SyncHealth } from '@karvon/contract/lib/sync-health.ts'
import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import type { Tone } from '../../components/display/badge.tsx'
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

/** What a run fetches, such as `orders, page 2`, in the person's language. Another text stays as it is. */
function formatPhase(phase: string): string {
  const [, list = '', page] = /^([a-z ]+?)(?:, (?:page|batch) (\d+))?(?: of this run)?$/.exec(phase) ?? []
  const name = Object.hasOwn(texts.phases, list) ? texts.phases[list] : undefined
  if (name === undefined) return phase
  return page === undefined ? name : texts.phasePage({ phase: name, page })
}

const createRunningState = (phase: string | null | undefined): SyncState => ({
  tone: 'info',
  text: phase ? texts.states.runningPhase({ phase: formatPhase(phase) }) : texts.states.running,
})

/** The state of a run. */
export const getRunState = ({ status, phase }: Pick<SyncRun, 'status' | 'phase'>): SyncState =>
  status === 'running' ? createRunningState(phase) : finishedStates[status]

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
  if (health?.running) return createRunningState(health.last_run?.phase)
  if (isRunRequested) return { tone: 'wait', text: states.queued }
  const pausedUntil = health?.paused_until
  if (pausedUntil) return { tone: 'wait', text: states.resting({ until: formatTime(pausedUntil) }) }
  const run = health?.last_run
  return run ? finishedStates[run.status] : { tone: 'neutral', text: states.never }
}

/** The reason of a pause, or the last error. Null when all is well or a run is under way. */
export function getProblem(health: SyncHealth | null): string | null {
  if (health === null || health.running) return null
  return health.pause_reason ?? health.last_run?.error ?? null
}
