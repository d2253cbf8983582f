import { type RefObject, useEffect, useRef } from 'react'

/**
 * For a button or a form that takes no input while its action runs, and so loses the focus. Afterwards the button or the
 * field has the focus again, or its row or dialog where the action removed it. A focus that moved elsewhere stays there.
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
    const container = element.closest<HTMLElement>('tr,[role=dialog]')
    return () => {
      if (document.activeElement !== document.body) return
      const nextElement = element.isConnected ? element : container
      nextElement?.focus({ preventScroll: true })
    }
  }, [busy])
  return target
}
