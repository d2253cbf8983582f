// It is apart from `session.task.ts`, which the first visit of a page does not load.
const tasks = new Set<object>()

/** Makes the browser ask before the page is closed or reloaded. */
const preventLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

/** Whether a task is running that would end with the page. */
export const hasRunningTasks = (): boolean => tasks.size > 0

/** For a person who has already agreed to end the tasks: the browser asks no more. */
export const allowLeaving = (): void => window.removeEventListener('beforeunload', preventLeaving)

export function addTask(task: object): void {
  tasks.add(task)
  window.addEventListener('beforeunload', preventLeaving)
}

export function removeTask(task: object): void {
  tasks.delete(task)
  if (tasks.size === 0) allowLeaving()
}
