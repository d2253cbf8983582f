import { useRef, useState } from 'react'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { useErrorMessage } from '../error-message.ts'
import { runTask, type ViewFormTask, type ViewTask } from './saved-views.form.tsx'
import type { ScreenViews } from './saved-views.query.ts'

/** Runs the tasks that need no form. A failure stays in the panel, or is a toast when the panel was closed. */
export function useViewTask(screen: ScreenViews, onDone: () => void) {
  const reason = useErrorMessage()
  const toasts = useToasts()
  const panel = useRef<HTMLDivElement>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isRunning, setIsRunning] = useState(false)

  const run = async (task: Exclude<ViewTask, ViewFormTask>) => {
    if (isRunning) return
    setIsRunning(true)
    setFailure(null)
    try {
      await runTask(task, { current: screen.current, address: screen.address ?? '' })
      await screen.reload()
      if (panel.current) onDone()
    } catch (error) {
      if (panel.current === null) toasts.show({ title: reason(error), tone: 'danger' })
      setFailure(reason(error))
    } finally {
      setIsRunning(false)
    }
  }

  return { panel, isRunning, failure, run }
}
