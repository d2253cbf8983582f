import { useEffect, useRef, useState } from 'react'
import { focusInClosest, listAncestors } from '../focus-remaining.ts'

/** `keys` are those of all rows. */
type FocusableRows = { keys: readonly string[]; isLoaded: boolean; isLoading: boolean }

/** The focus among the rows of a table. Tab reaches the row that had the focus last, else the first row. */
export function useRowFocus({ keys, isLoaded, isLoading }: FocusableRows) {
  const [focusedKey, setFocusedKey] = useState<string | null>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  // The last row of the last page was deleted, and the page before loads.
  const isPageExpected = keys.length === 0 && isLoading
  const isFocusedRowGone = focusedKey !== null && isLoaded && !isPageExpected && !keys.includes(focusedKey)
  useEffect(() => {
    // The focused row was deleted. The focus moves to the next row. An empty list has none, but buttons around its rows.
    if (isFocusedRowGone && document.activeElement === document.body)
      focusInClosest(listAncestors(body.current))
  }, [isFocusedRowGone])
  return {
    ref: body,
    tabbableKey: focusedKey !== null && keys.includes(focusedKey) ? focusedKey : keys[0],
    onFocus: (event: React.FocusEvent) =>
      setFocusedKey((event.target.closest('tr')?.dataset.key ?? null) || null),
  }
}
