import { useSyncExternalStore } from 'react'
import type { Call } from '@karvon/contract/lib/call.ts'
import type { Toasts, WorkToast } from '../../components/overlay/toasts.tsx'
import { HttpError } from '../../lib/http.ts'
import { sessionWork } from '../../lib/session.work.ts'
import { runImport, type ImportReport, type ImportStep } from './import.run.ts'
import type { ImportTexts } from './import.texts.ts'

/** The import of one kind that runs or ran last. It outlives its dialog, which shows it again. */
export interface ImportState {
  readonly file: string
  readonly step: ImportStep | null
  readonly report: ImportReport | null
  /** Why it failed; null while it runs and when it is done. */
  readonly failure: string | null
  readonly stop: () => void
}

const states = new Map<Call, ImportState>()
const watched = new Map<Call, number>()
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const importOf = (call: Call): ImportState | undefined => states.get(call)

/** The state of a kind's import; undefined when there was none. */
export const useImport = (call: Call): ImportState | undefined =>
  useSyncExternalStore(subscribe, () => importOf(call))

/** Forgets an import that is over. */
export function forgetImport(call: Call): void {
  if (states.get(call)?.step) return
  states.delete(call)
  tell()
}

/** While a dialog shows the import no toast needs to; returns the undo. */
export function watchImport(call: Call): () => void {
  const add = (more: number) => {
    watched.set(call, (watched.get(call) ?? 0) + more)
    tell()
  }
  add(1)
  return () => add(-1)
}

interface Start {
  readonly call: Call
  readonly fields: Readonly<Record<string, string>>
  readonly file: File
  readonly texts: ImportTexts
  readonly toasts: Toasts
  readonly reason: (error: unknown) => string
}

/** Imports a file; true when it is in. It goes on when its dialog closes, told by a toast then. */
export async function startImport({
  call,
  fields,
  file,
  texts,
  toasts,
  reason: reasonOf,
}: Start): Promise<boolean> {
  const work = sessionWork()
  const set = (change: Partial<ImportState>) => {
    const before = states.get(call) ?? { file: file.name, step: null, report: null, failure: null }
    states.set(call, { ...before, stop: work.abort, ...change })
    tell()
  }
  states.delete(call)
  const toast = backgroundToast(call, texts, toasts)
  try {
    set({ step: { phase: 'sending', sent: 0, total: file.size } })
    const report = await runImport({
      call,
      fields,
      file,
      signal: work.signal,
      onStep: (step) => set({ step }),
    })
    set({ step: null, report })
    if (!watched.get(call)) toasts.show({ title: texts.finished, text: countsText(report, texts) })
    return true
  } catch (error) {
    const unsure = error instanceof HttpError && error.status === 0
    const said = work.signal.aborted ? texts.stopped : reasonOf(error)
    const failure = `${said}${unsure ? `\n${texts.again}` : ''}`
    set({ step: null, failure })
    if (!watched.get(call)) toasts.show({ title: texts.failed, text: failure, tone: 'danger' })
    return false
  } finally {
    toast.end()
    work.end()
  }
}

const countsText = (report: ImportReport, { report: texts }: ImportTexts): string =>
  (['imported', 'updated', 'unchanged', 'skipped'] as const)
    .map((key) => `${texts[key]}: ${report[key]}`)
    .join(', ')

/** Tells of the import by a toast as long as it runs and no dialog shows it. */
function backgroundToast(call: Call, texts: ImportTexts, toasts: Toasts): Pick<WorkToast, 'end'> {
  let toast: WorkToast | undefined
  const follow = () => {
    const state = states.get(call)
    if (!state?.step || watched.get(call)) {
      toast?.end()
      toast = undefined
      return
    }
    const { step, file } = state
    toast ??= toasts.work({ title: texts.working(file) })
    if (step.phase === 'sending') toast.say(texts.sent(step.sent, step.total), step.sent / step.total)
    else toast.say(texts.rows(rowsOf(step.counts)), step.part)
  }
  const stop = subscribe(follow)
  return {
    end: () => {
      stop()
      toast?.end()
    },
  }
}

const rowsOf = ({ imported, updated, unchanged, skipped }: ImportReport): number =>
  imported + updated + unchanged + skipped
