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
  /** The token of the session that ended. */
  readonly token: string
  /** The person who typed, by the name that they sign in with. */
  readonly username: string
  /** The page of the form, to which a sign-in returns. Empty when the person is there. */
  address: string
  /** Whether a sign-in has led the person there. It does so once, also when the form stays closed. */
  isReached?: boolean
  /** The changed values, without secrets. */
  readonly values: Readonly<Record<string, unknown>>
}

// In memory only, one for each form. The drafts of a session replace those of an earlier session.
let drafts: readonly Draft[] = []

/** Keeps what a person typed into a form before their session ended. */
export function keepDraft(next: Draft): void {
  drafts = [...drafts.filter(({ token, name }) => token === next.token && name !== next.name), next]
}

/** The drafts of the signed-in person. Drops those of another person. */
function getDrafts(): readonly Draft[] {
  const username = getSession()?.user?.username
  if (username === undefined) return []
  drafts = drafts.filter((draft) => draft.username === username)
  return drafts
}

/** The draft of a form. Undefined if it has none. */
export const findDraft = ({ name, target }: DraftKey): Draft | undefined =>
  getDrafts().find((draft) => draft.name === name && draft.target === target)

/** Removes and returns the draft of a form. */
export function takeDraft(key: DraftKey): Draft | undefined {
  const draft = findDraft(key)
  drafts = drafts.filter((keptDraft) => keptDraft !== draft)
  return draft
}

/** The page to which a sign-in returns: that of the form that was opened last. Undefined without a draft. */
export const findDraftAddress = (): string | undefined =>
  getDrafts().findLast(({ address, isReached }) => address && !isReached)?.address

/** Notes that the signed-in person is at an address. */
export function reachDraft(address: string): void {
  for (const draft of getDrafts()) if (draft.address === address) draft.isReached = true
}

/** What the form of this name edits again after a sign-in. Null if the form stays closed. */
export function restoreTarget(name: string): unknown {
  const draft = getDrafts().find((ownDraft) => ownDraft.name === name && ownDraft.address)
  if (!draft) return null
  draft.address = ''
  return draft.target
}
