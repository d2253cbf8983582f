import type { SyncHealth } from '@karvon/contract/lib/sync-health.ts'
import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import type { Tone } from '../../components/display/badge.tsx'
import { syncTexts as texts } from './syncs.texts.ts'

/** A state in words, with the colour that it means. */
export interface SyncState {
  readonly tone: Tone
  readonly text: string
}

const ends: Readonly<Record<SyncRun['status'], SyncState>> = {
  // Its process is gone; another goes on from where it stood.
  running: { tone: 'wait', text: texts.states.interrupted },
  done: { tone: 'ok', text: texts.states.done },
  partial: { tone: 'wait', text: texts.states.partial },
  failed: { tone: 'bad', text: texts.states.failed },
}

/** How a run ended, or that it goes on. */
export const runState = ({ status, phase }: Pick<SyncRun, 'status' | 'phase'>): SyncState =>
  status === 'running' ? { tone: 'info', text: texts.states.running(phase) } : ends[status]

/** How an account fares; `asked` is true from "Run now" until that run is over, `moment` writes a time. */
export function healthState(
  health: SyncHealth | null,
  asked: boolean,
  moment: (iso: string) => string,
): SyncState {
  const { states } = texts
  if (health?.running) return { tone: 'info', text: states.running(health.last_run?.phase ?? null) }
  if (asked) return { tone: 'wait', text: states.queued }
  const resting = health?.paused_until
  if (resting) return { tone: 'wait', text: states.resting(moment(resting)) }
  const run = health?.last_run
  return run ? ends[run.status] : { tone: 'neutral', text: states.never }
}

/** Why it rests or what went wrong last; null where all is well or it is being tried again. */
export function troubleOf(health: SyncHealth | null): string | null {
  if (health === null || health.running) return null
  return health.pause_reason ?? health.last_run?.error ?? null
}
