import { getSession, subscribeToSession } from './session.store.ts'
import { addTask, removeTask } from './task-list.ts'

/** `abort` cancels the task. `end` marks it as finished. */
export interface SessionTask {
  readonly signal: AbortSignal
  readonly abort: () => void
  readonly end: () => void
}

/**
 * Starts a task that continues when its screen closes, and would end with the page. Its signal aborts when the current
 * session ends.
 */
export function startSessionTask(): SessionTask {
  const token = getSession()?.token
  const controller = new AbortController()
  const unsubscribe = subscribeToSession(() => {
    if (getSession()?.token !== token) controller.abort()
  })
  addTask(controller)
  const end = () => {
    unsubscribe()
    removeTask(controller)
  }
  return { signal: controller.signal, abort: () => controller.abort(), end }
}
