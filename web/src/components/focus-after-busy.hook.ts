import { type RefObject, useEffect, useRef } from 'react'

/**
 * For a button that is disabled while its action runs, and so loses the focus. Afterwards the button has the
 * focus again, or its row or dialog where the action removed the button. A focus that moved elsewhere stays
 * there.
 */
export function useFocusAfterBusy(busy: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const element = button.current
    if (!busy || !element) return
    const container = element.closest<HTMLElement>('tr,[role=dialog]')
    return () => {
      if (document.activeElement !== document.body) return
      const target = element.isConnected ? element : container
      target?.focus({ preventScroll: true })
    }
  }, [busy])
  return button
}
