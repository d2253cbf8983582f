import { useSyncExternalStore } from 'react'
import type { Call } from '@karvon/contract/lib/call.ts'
import { createListeners } from '../../lib/listeners.ts'
import type { Toasts, ProgressToast } from '../../components/overlay/toasts.tsx'
import { formatBytes, formatNumber } from '../../lib/format/number.format.ts'
import { HttpError } from '../../lib/http.ts'
import { getSession } from '../../lib/session.store.ts'
import { startSessionTask } from '../../lib/session.task.ts'
import { runImport, type ImportReport, type ImportStep } from './import.run.ts'
import type { ImportTexts } from './import.texts.ts'

/** The last or running import of one kind. It outlives its dialog, which shows it again. */
export interface ImportState {
  /** The username of the person who started it. Nobody else sees it. */
  readonly owner: string | undefined
  readonly file: string
  readonly step: ImportStep | null
  readonly report: ImportReport | null
  /** The reason of a failure. Null while it runs and after success. */
  readonly failure: string | null
  readonly stop: () => void
}

const states = new Map<Call, ImportState>()
const dialogCounts = new Map<Call, number>()
const { notify, subscribe } = createListeners()

const getUsername = () => getSession()?.user?.username

export function getImportState(call: Call): ImportState | undefined {
  const state = states.get(call)
  return state?.owner === getUsername() ? state : undefined
}

/** The state of the import of one kind. Undefined when there was none. */
export const useImportState = (call: Call): ImportState | undefined =>
  useSyncExternalStore(subscribe, () => getImportState(call))

/** Removes a finished import. */
export function forgetImport(call: Call): void {
  if (states.get(call)?.step) return
  states.delete(call)
  notify()
}

/** Hides the toast of an import while a dialog shows it. Returns a function that ends this. */
export function hideImportToast(call: Call): () => void {
  const add = (delta: number) => {
    dialogCounts.set(call, (dialogCounts.get(call) ?? 0) + delta)
    notify()
  }
  add(1)
  return () => add(-1)
}

interface StartImportInput {
  readonly call: Call
  readonly fields: Readonly<Record<string, string>>
  readonly file: File
  readonly texts: ImportTexts
  readonly toasts: Toasts
  readonly reason: (error: unknown) => string
}

/**
 * Imports a file. Returns true on success. When its dialog closes, the import continues and a toast shows it.
 */
export async function startImport({
  call,
  fields,
  file,
  texts,
  toasts,
  reason: getMessage,
}: StartImportInput): Promise<boolean> {
  const task = startSessionTask()
  let state: ImportState = {
    owner: getUsername(),
    file: file.name,
    step: null,
    report: null,
    failure: null,
    stop: task.abort,
  }
  const set = (change: Partial<ImportState>) => {
    state = { ...state, ...change }
    states.set(call, state)
    notify()
  }
  states.delete(call)
  const toast = showToastInBackground(call, texts, toasts)
  try {
    set({ step: { phase: 'sending', sent: 0, total: file.size } })
    const report = await runImport({
      call,
      fields,
      file,
      signal: task.signal,
      onStep: (step) => set({ step }),
    })
    set({ step: null, report })
    if (!dialogCounts.get(call)) toasts.show({ title: texts.finished, text: formatCounts(report, texts) })
    return true
  } catch (error) {
    if (task.signal.aborted && state.step?.phase === 'working') {
      // The session has ended. The server has the whole file and imports it.
      states.delete(call)
      toasts.show({ title: texts.working({ file: file.name }), text: texts.background })
      return false
    }
    const isUncertain = error instanceof HttpError && error.status === 0
    const message = task.signal.aborted ? texts.stopped : getMessage(error)
    const failure = `${message}${isUncertain ? `\n${texts.again}` : ''}`
    set({ step: null, failure })
    if (!dialogCounts.get(call)) toasts.show({ title: texts.failed, text: failure, tone: 'danger' })
    return false
  } finally {
    toast.end()
    task.end()
  }
}

const formatCounts = (report: ImportReport, { report: texts }: ImportTexts): string =>
  (['imported', 'updated', 'unchanged', 'skipped'] as const)
    .map((key) => `${texts[key]}: ${formatNumber(report[key])}`)
    .join(', ')

/** Shows a toast while the import runs and no dialog shows it. */
function showToastInBackground(call: Call, texts: ImportTexts, toasts: Toasts): Pick<ProgressToast, 'end'> {
  let toast: ProgressToast | undefined
  const updateToast = () => {
    const state = states.get(call)
    if (!state?.step || dialogCounts.get(call)) {
      toast?.end()
      toast = undefined
      return
    }
    const { step, file } = state
    toast ??= toasts.showProgress({ title: texts.working({ file }) })
    if (step.phase === 'sending') toast.update(formatSent(step, texts), step.sent / step.total)
    else toast.update(texts.rows({ rows: sumRows(step.counts) }), step.part)
  }
  const unsubscribe = subscribe(updateToast)
  return {
    end: () => {
      unsubscribe()
      toast?.end()
    },
  }
}

const sumRows = ({ imported, updated, unchanged, skipped }: ImportReport): number =>
  imported + updated + unchanged + skipped

/** How much of a file was sent. */
export const formatSent = (bytes: { sent: number; total: number }, { sent, units }: ImportTexts): string =>
  sent({ sent: formatBytes(bytes.sent, units), total: formatBytes(bytes.total, units) })
