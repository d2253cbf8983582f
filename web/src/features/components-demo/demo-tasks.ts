import type { FormValues } from '../../components/form/form.rules.ts'
import type { Dialogs } from '../../components/overlay/dialogs.tsx'
import type { Toasts } from '../../components/overlay/toasts.tsx'
import { demoTaskTexts as texts } from './demo-tasks.texts.ts'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Fails for certain names, to show a failed save. */
export async function saveDemo(values: FormValues) {
  await wait(700)
  if (values.name === 'fail') return { ok: false, message: texts.saveFailed } as const
  if (values.name === 'taken') {
    return { ok: false, message: texts.refused, errors: { name: texts.taken } } as const
  }
  if (values.name === 'throw') throw new Error(texts.silent)
  return { ok: true } as const
}

export const showAlert = (dialogs: Dialogs) => dialogs.alert(texts.removeFailed, texts.inUse)

/** Returns what the person answered. */
export async function askToDelete(dialogs: Dialogs): Promise<string> {
  const isConfirmed = await dialogs.confirm(texts.sure, { danger: true })
  return isConfirmed ? texts.confirmed : texts.dismissed
}

export const showSuccess = (toasts: Toasts) =>
  toasts.show({ title: texts.muvaffaqiyat, text: texts.uploaded })

export const showFailure = (toasts: Toasts) =>
  toasts.show({ title: texts.xatolik, text: texts.uploadFailed, tone: 'danger' })

/** A simulated task of three seconds that can be cancelled. */
export async function showWork(toasts: Toasts) {
  const cancellation = new AbortController()
  const toast = toasts.showProgress({
    title: texts.working({ file: 'offers.csv' }),
    action: texts.cancel,
    onAction: () => {
      cancellation.abort()
      toast.end()
    },
  })
  for (let part = 1; part <= 30 && !cancellation.signal.aborted; part++) {
    toast.update(texts.done({ part: part / 10 }), part / 30)
    await wait(100)
  }
  toast.end()
}

const streams = Array.from({ length: 300 }, (_, index) => ({
  value: String(index),
  label: `Stream ${index}`,
}))

/** Answers after half a second, like a server. */
export async function searchStreams(query: string): Promise<{ value: string; label: string }[]> {
  await wait(500)
  return streams.filter(({ label }) => label.includes(query)).slice(0, 20)
}
