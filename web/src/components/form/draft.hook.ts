import { useEffect, useEffectEvent, useState } from 'react'
import { keepDraft, takeDraft, type Draft, type DraftKey } from '../../lib/session.draft.ts'
import { getSession, subscribeToSession } from '../../lib/session.store.ts'
import { useLeaveQuestion } from './leave-question.ts'

/**
 * Keeps the changed values in memory if the session ends, for the same person's next sign-in. Null: nothing changed. A question
 * comes before a page with changed values is closed, reloaded or left, because no value is stored outside of the page.
 */
export function useDraftKeeper(key: DraftKey, values: Draft['values'] | null): void {
  const [{ session, address }] = useState(() => ({
    session: getSession(),
    address: window.location.pathname + window.location.search,
  }))
  const keep = useEffectEvent(() => {
    if (!session?.user || values === null || getSession()?.token === session.token) return
    keepDraft({ ...key, token: session.token, username: session.user.username, address, values })
  })
  useEffect(() => subscribeToSession(() => keep()), [])
  useLeaveQuestion(values !== null)
}

/** The state of a text field outside of a form with declared fields. The text is kept like {@link useDraftKeeper}. */
export function useDraftText(key: DraftKey) {
  const [restoredText] = useState(() => takeDraft(key)?.values['text'])
  const isRestored = typeof restoredText === 'string'
  const [text, setText] = useState(isRestored ? restoredText : '')
  useDraftKeeper(key, text === '' ? null : { text })
  return { text, setText, isRestored }
}
