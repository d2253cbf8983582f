import { useEffect, useRef, useState } from 'react'

/**
 * The focus among the rows of a table. Tab reaches the row that had the focus last, else the first row. `keys` are those of
 * all rows.
 */
export function useRowFocus(keys: readonly string[], isLoaded: boolean) {
  const [focusedKey, setFocusedKey] = useState<string | null>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const isFocusedRowGone = focusedKey !== null && isLoaded && !keys.includes(focusedKey)
  useEffect(() => {
    // The focused row was deleted. The focus moves to the next row.
    if (!isFocusedRowGone || document.activeElement !== document.body) return
    body.current?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus({ preventScroll: true })
  }, [isFocusedRowGone])
  return {
    ref: body,
    tabbableKey: focusedKey !== null && keys.includes(focusedKey) ? focusedKey : keys[0],
    onFocus: (event: React.FocusEvent) =>
      setFocusedKey((event.target.closest('tr')?.dataset.key ?? null) || null),
  }
}
