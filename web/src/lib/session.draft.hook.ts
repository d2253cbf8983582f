import { useEffect, useEffectEvent, useState } from 'react'
import { findDraft, setDraft, type Draft, type DraftKey } from './session.draft.ts'
import { getSession, subscribeToSession } from './session.store.ts'

/** Removes and returns the draft of a form. Null if it has none. */
export function takeDraft({ name, target }: DraftKey): Draft | null {
  const draft = findDraft()
  if (draft?.name !== name || draft.target !== target) return null
  setDraft(null)
  return draft
}

/** Keeps the changed values in memory if the session ends, for the same person's next sign-in. Null: nothing changed. */
export function useDraftKeeper(key: DraftKey, values: Draft['values'] | null): void {
  const [{ session, address }] = useState(() => ({
    session: getSession(),
    address: window.location.pathname + window.location.search,
  }))
  const keep = useEffectEvent(() => {
    const username = session?.user?.username
    if (username === undefined || values === null || getSession()?.token === session?.token) return
    setDraft({ ...key, username, address, values })
  })
  useEffect(() => subscribeToSession(() => keep()), [])
}

/** The state of a text field outside of a form with declared fields. The text is kept like {@link useDraftKeeper}. */
export function useDraftText(key: DraftKey) {
  const [restoredText] = useState(() => takeDraft(key)?.values['text'])
  const isRestored = typeof restoredText === 'string'
  const [text, setText] = useState(isRestored ? restoredText : '')
  useDraftKeeper(key, text === '' ? null : { text })
  return { text, setText, isRestored }
}
