import { getSession } from './session.store.ts'

/** What the draft of a form is kept for. */
export interface DraftKey {
  /** The name of the form. */
  readonly name: string
  /** What the form edits, such as a row or its id. */
  readonly target: unknown
  /** The version of the row that the form shows. A restored form sends the earlier one, so that a change by somebody else is a conflict. */
  readonly version?: unknown
}

export interface Draft extends DraftKey {
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
