import { useContext, useEffect, useEffectEvent } from 'react'
import { useRouter, type RouterHistory } from '@tanstack/react-router'
import { getSession } from '../../lib/session.store.ts'
import { useDialogs } from '../overlay/dialogs.tsx'
import { ClosingContext } from '../overlay/modal.tsx'
import { savingAttribute } from '../overlay/layer.store.ts'
import { leaveTexts } from './leave-question.texts.ts'

type HistoryLocation = RouterHistory['location']

let formCount = 0
let unblock = () => {}
// One question for all navigations while it is open.
let openQuestion: Promise<boolean> | null = null
let navigationCount = 0
const never = new Promise<never>(() => {})

/** A page with its tab and its open row. The rest of the query are filters, whose change keeps the forms. */
function getPage({ pathname, search }: HistoryLocation): string {
  const query = new URLSearchParams(search)
  return [pathname, query.get('tab'), query.get('id')].join()
}

/** Blocks links and the back button for a form, until the returned function is called. The forms of a page ask once. */
function blockLeaving(history: RouterHistory, ask: () => Promise<boolean>): () => void {
  formCount += 1
  if (formCount === 1)
    unblock = history.block({
      // The browser asks by itself, see `useLeaveQuestion`.
      enableBeforeUnload: false,
      blockerFn: async ({ currentLocation, nextLocation }) => {
        // The input is kept if the session has ended, and a running save reports a failure on any page.
        const isSafe = getSession() === null || document.querySelector(`[${savingAttribute}]`) !== null
        if (isSafe || getPage(currentLocation) === getPage(nextLocation)) return false
        openQuestion ??= ask().finally(() => (openQuestion = null))
        navigationCount += 1
        const number = navigationCount
        const isLeaving = await openQuestion
        // Back was pressed again. The router counts its steps from the page, so it must go only the last ones or return them.
        if (number !== navigationCount) return never
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

const preventLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

/**
 * Asks before a page with changed values is closed, reloaded or left by a link or the back button. A dialog that was closed asks no
 * more while it fades.
 */
export function useLeaveQuestion(isChanged: boolean): void {
  const router = useRouter()
  const isClosing = useContext(ClosingContext)
  const dialogs = useDialogs()
  const ask = useEffectEvent(() => {
    const isRussian = router.state.matches.at(-1)?.staticData.russian === true
    const { question, reason, leave, cancel } = isRussian ? leaveTexts.russian : leaveTexts
    return dialogs.confirm(question, { reason, confirmLabel: leave, cancelLabel: cancel, danger: true })
  })
  useEffect(() => {
    if (!isChanged || isClosing) return
    const end = blockLeaving(router.history, () => ask())
    window.addEventListener('beforeunload', preventLeaving)
    return () => {
      end()
      window.removeEventListener('beforeunload', preventLeaving)
    }
  }, [isChanged, isClosing, router])
}
