import { getSession, subscribeToSession } from './session.store.ts'

/** `abort` cancels the task. `end` marks it as finished. */
export interface SessionTask {
  readonly signal: AbortSignal
  readonly abort: () => void
  readonly end: () => void
}

const runningTasks = new Set<AbortController>()

/** Whether a task is running that would end with the page. */
export const hasRunningTasks = (): boolean => runningTasks.size > 0

/** Starts a task that continues when its screen closes. Its signal aborts when the current session ends. */
export function startSessionTask(): SessionTask {
  const token = getSession()?.token
  const controller = new AbortController()
  const unsubscribe = subscribeToSession(() => {
    if (getSession()?.token !== token) controller.abort()
  })
  runningTasks.add(controller)
  const end = () => {
    unsubscribe()
    runningTasks.delete(controller)
  }
  return { signal: controller.signal, abort: () => controller.abort(), end }
}
