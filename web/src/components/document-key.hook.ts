import { useEffect, useEffectEvent } from 'react'

/** Calls `onKeyDown`, with the values of the last render, for each key that is pressed anywhere on the page. */
export function useDocumentKey(onKeyDown: (event: KeyboardEvent) => void): void {
  const handleKey = useEffectEvent(onKeyDown)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
