import { type RefObject, useEffect, useRef } from 'react'

/**
 * For a button that is disabled while its own work goes on, and so loses the focus: afterwards it has it again,
 * or its row or dialog where the work took the button away. Nobody who went on elsewhere is called back.
 */
export function useKeptFocus(busy: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const element = button.current
    if (!busy || !element) return
    const place = element.closest<HTMLElement>('tr,[role=dialog]')
    return () => {
      if (document.activeElement !== document.body) return
      const next = element.isConnected ? element : place
      next?.focus({ preventScroll: true })
    }
  }, [busy])
  return button
}
