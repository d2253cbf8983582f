import { useSyncExternalStore } from 'react'
import { adminCode } from '@karvon/contract/auth/auth.ts'

/** The key of the session in local storage (specification, section 9). */
const sessionKey = 'emu_auth'

/** Who is signed in, as the browser keeps it. `role` is the role's code. */
export interface SessionUser {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly is_active: boolean
}

/** `user` is null when the record holds a token and nothing usable about its owner. */
export interface Session {
  readonly token: string
  readonly user: SessionUser | null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A person from an answer or a stored record, in either spelling; null when there is none. */
export function readUser(value: unknown): SessionUser | null {
  if (!isRecord(value) || text(value.username) === '') return null
  const active = value.is_active ?? value.isActive
  return {
    id: Number(value.id) || 0,
    username: text(value.username),
    email: text(value.email),
    name: text(value.name),
    role: isRecord(value.role) ? text(value.role.code) : text(value.role),
    is_active: typeof active === 'boolean' ? active : true,
  }
}

/** A stored record; null when it does not parse or holds no token. */
export function readSession(stored: string | null): Session | null {
  if (stored === null) return null
  try {
    const record: unknown = JSON.parse(stored)
    if (!isRecord(record) || text(record.token) === '') return null
    return { token: text(record.token), user: readUser(record.user) }
  } catch {
    return null
  }
}

const listeners = new Set<() => void>()

// What storage refuses (private mode, blocked cookies) is remembered until the page closes.
let unsaved: string | null = null
let parsed: { stored: string | null; session: Session | null } = { stored: null, session: null }

function stored(): string | null {
  try {
    return localStorage.getItem(sessionKey) ?? unsaved
  } catch {
    return unsaved
  }
}

/** The session now; the same object until it changes. */
export function getSession(): Session | null {
  const now = stored()
  if (now !== parsed.stored) parsed = { stored: now, session: readSession(now) }
  return parsed.session
}

/** Only the role value 'admin' means admin; any other is a regular person. */
export const isAdmin = (session: Session | null): boolean => session?.user?.role === adminCode

function tell(): void {
  for (const listener of listeners) listener()
}

export function saveSession(session: Session): void {
  const record = JSON.stringify(session)
  try {
    localStorage.setItem(sessionKey, record)
    unsaved = null
  } catch {
    unsaved = record
  }
  tell()
}

export function clearSession(): void {
  unsaved = null
  try {
    localStorage.removeItem(sessionKey)
  } catch {
    // There was nothing stored.
  }
  tell()
}

/** Hears every change of the session, other tabs' included; returns the undo. */
export function onSession(listener: () => void): () => void {
  // A null key means that another tab cleared the whole storage.
  const onStorage = (event: StorageEvent) => {
    if (event.key === sessionKey || event.key === null) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

export function useSession(): Session | null {
  return useSyncExternalStore(onSession, getSession)
}
