import { useSyncExternalStore } from 'react'
import { adminCode } from '@karvon/contract/auth/auth.ts'
import { createListeners } from './listeners.ts'
import { isRecord } from './is-record.ts'

/** The key of the session in local storage (specification, section 9). */
const sessionKey = 'emu_auth'

/** The signed-in person, as stored in the browser. `role` is the role's code. */
export interface SessionUser {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly is_active: boolean
}

/** `user` is null when the record has a token but no usable person. */
export interface StoredSession {
  readonly token: string
  readonly user: SessionUser | null
}

const readText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Reads a person from an answer or a stored record, in either spelling. Null when there is none. */
export function readUser(value: unknown): SessionUser | null {
  if (!isRecord(value) || readText(value.username) === '') return null
  const active = value.is_active ?? value.isActive
  return {
    id: Number(value.id) || 0,
    username: readText(value.username),
    email: readText(value.email),
    name: readText(value.name),
    role: isRecord(value.role) ? readText(value.role.code) : readText(value.role),
    is_active: typeof active === 'boolean' ? active : true,
  }
}

/** Reads a stored record. Null when it is not valid JSON or has no token. */
export function readSession(storedText: string | null): StoredSession | null {
  if (storedText === null) return null
  try {
    const record: unknown = JSON.parse(storedText)
    if (!isRecord(record) || readText(record.token) === '') return null
    return { token: readText(record.token), user: readUser(record.user) }
  } catch {
    return null
  }
}

const { notify, subscribe } = createListeners()

// A record that storage refuses (private mode, blocked cookies) is kept until the page closes.
let unsavedText: string | null = null
function readStoredSession(): string | null {
  try {
    return localStorage.getItem(sessionKey) ?? unsavedText
  } catch {
    return unsavedText
  }
}

const parseStoredSession = (text = readStoredSession()) => ({ text, session: readSession(text) })
let current: ReturnType<typeof parseStoredSession> | null = null

/**
 * The session that this page shows. The same object until it changes. A session that another tab stored counts from the
 * moment when the listeners know it, so that no call of the page is sent as another person.
 */
export function getSession(): StoredSession | null {
  current ??= parseStoredSession()
  return current.session
}

/** Only the role value 'admin' is an admin. Any other is a regular person. */
export const isAdmin = (session: StoredSession | null): boolean => session?.user?.role === adminCode

/** Reads the stored session again, and tells the listeners if it has changed. */
function refreshSession(): void {
  const text = readStoredSession()
  if (text === current?.text) return
  current = parseStoredSession(text)
  notify()
}

// A tab that was frozen or kept for Back misses the event of the storage. The others come when a person returns to it.
if (typeof window !== 'undefined')
  for (const type of ['storage', 'pageshow', 'visibilitychange', 'focus'])
    window.addEventListener(type, refreshSession)

export function saveSession(session: StoredSession): void {
  const record = JSON.stringify(session)
  try {
    localStorage.setItem(sessionKey, record)
    unsavedText = null
  } catch {
    unsavedText = record
  }
  refreshSession()
}

/** Ends the session of this page. A session that another tab has stored since then stays. */
export function clearSession(): void {
  if (readSession(readStoredSession())?.token === getSession()?.token) {
    unsavedText = null
    try {
      localStorage.removeItem(sessionKey)
    } catch {
      // Nothing was stored.
    }
  }
  refreshSession()
}

/** Calls the listener on every change of the session, also by other tabs. Returns a function that unsubscribes. */
export const subscribeToSession = subscribe

export function useSession(): StoredSession | null {
  return useSyncExternalStore(subscribeToSession, getSession)
}
