import type { AnyRouter } from '@tanstack/react-router'
import type { ConfirmOptions } from '../components/overlay/dialogs.tsx'
import { getSession } from '../lib/session.store.ts'
import { leaveTexts } from './leave-question.texts.ts'

type Confirm = (text: string, options: ConfirmOptions) => Promise<boolean>
type HistoryLocation = AnyRouter['history']['location']

let formCount = 0
let unblock = () => {}
// One question for all navigations while it is open.
let openQuestion: Promise<boolean> | null = null

/** A page with its tab and its open row. The rest of the query are filters, whose change keeps the forms. */
function getPage({ pathname, search }: HistoryLocation): string {
  const query = new URLSearchParams(search)
  return [pathname, query.get('tab'), query.get('id')].join()
}

/** Asks before a link or the back button leaves a page with changed input, until the returned function is called. */
export function askBeforeLeaving(router: AnyRouter, confirm: Confirm): () => void {
  const ask = () => {
    const isRussian = router.state.matches.at(-1)?.staticData.russian === true
    const { question, reason, leave } = isRussian ? leaveTexts.russian : leaveTexts
    return confirm(question, { reason, confirmLabel: leave, danger: true })
  }
  formCount += 1
  if (formCount === 1)
    unblock = router.history.block({
      // `useDraftKeeper` asks before the browser leaves.
      enableBeforeUnload: false,
      blockerFn: async ({ currentLocation, nextLocation }) => {
        // The input is kept if the session has ended.
        if (getSession() === null || getPage(currentLocation) === getPage(nextLocation)) return false
        openQuestion ??= ask().finally(() => (openQuestion = null))
        const isLeaving = await openQuestion
        // The next page may redirect, which must not ask again.
        if (isLeaving) unblock()
        return !isLeaving
      },
    })
  return () => {
    formCount -= 1
    if (formCount === 0) unblock()
  }
}
