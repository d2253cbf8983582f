import { getSession, onSession } from './session.store.ts'

/** `abort` gives the work up; `end` says that it is over. */
export interface SessionWork {
  readonly signal: AbortSignal
  readonly abort: () => void
  readonly end: () => void
}

/** For work that outlives its screen: the signal aborts as soon as the session of now is over. */
export function sessionWork(): SessionWork {
  const token = getSession()?.token
  const work = new AbortController()
  const end = onSession(() => {
    if (getSession()?.token !== token) work.abort()
  })
  return { signal: work.signal, abort: () => work.abort(), end }
}
