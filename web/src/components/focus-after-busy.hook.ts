import { type RefObject, useEffect, useRef } from 'react'
import { focusRemaining, listAncestors } from './focus-remaining.ts'

/**
 * For a button or a form that takes no input while its action runs, and so loses the focus. Afterwards the button or the
 * field has the focus again. Where the action removed it, its row or dialog has the focus, else what remains around them. A
 * focus that moved elsewhere stays there.
 */
export function useFocusAfterBusy<Target extends HTMLElement = HTMLButtonElement>(
  busy: boolean,
): RefObject<Target | null> {
  const target = useRef<Target>(null)
  useEffect(() => {
    if (!busy || !target.current) return
    // The browser takes the focus from an element only when it draws the page.
    const focusedElement = document.activeElement
    const isInside = focusedElement instanceof HTMLElement && target.current.contains(focusedElement)
    const element = isInside ? focusedElement : target.current
    const containers = listAncestors(element.closest('tr,[role=dialog]'))
    return () => {
      // The button of a dialog that just closed keeps the focus until the browser draws the page.
      if (!document.activeElement?.matches('body,[inert] *')) return
      focusRemaining(element.isConnected ? [element] : containers)
    }
  }, [busy])
  return target
}
