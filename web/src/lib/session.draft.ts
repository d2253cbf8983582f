import { getSession } from './session.store.ts'

/** A form whose input is kept when the session ends: its name, and what it edits, such as a row or its id. */
export interface DraftKey {
  readonly name: string
  readonly target: unknown
}

interface Draft extends DraftKey {
  /** The person who typed, by the name that they sign in with. */
  readonly username: string
  /** The page of the form, to which a sign-in returns. Empty when the person is there. */
  address: string
  /** The changed values, without secrets. */
  readonly values: Readonly<Record<string, unknown>>
}

// In memory only. A new draft replaces the one before.
let draft: Draft | null = null

/** Keeps what a person typed before their session ended. Null drops it. */
export function setDraft(next: Draft | null): void {
  draft = next
}

/** The draft of the signed-in person. Drops the draft of another person. */
export function findDraft(): Draft | null {
  const username = getSession()?.user?.username
  if (username === undefined) return null
  if (username !== draft?.username) draft = null
  return draft
}

/** What the form of this name edits again after a sign-in. Null if the form stays closed. */
export function restoreTarget(name: string): unknown {
  const ownDraft = findDraft()
  if (!ownDraft?.address || ownDraft.name !== name) return null
  ownDraft.address = ''
  return ownDraft.target
}
