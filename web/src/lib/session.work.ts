import { getSession, onSession } from './session.store.ts'

/** `abort` gives the work up; `end` says that it is over. */
export interface SessionWork {
  readonly signal: AbortSignal
  readonly abort: () => void
  readonly end: () => void
}

const underWay = new Set<AbortController>()

/** Whether something runs that would end with the page. */
export const isWorkUnderWay = (): boolean => underWay.size > 0

/** For work that outlives its screen: the signal aborts as soon as the session of now is over. */
export function sessionWork(): SessionWork {
  const token = getSession()?.token
  const work = new AbortController()
  const forget = onSession(() => {
    if (getSession()?.token !== token) work.abort()
  })
  underWay.add(work)
  const end = () => {
    forget()
    underWay.delete(work)
  }
  return { signal: work.signal, abort: () => work.abort(), end }
}
