import { useEffect, useState } from 'react'

// Storage that the browser refuses is as good as empty.
function before(key: string): number {
  try {
    return Number(sessionStorage.getItem(key) ?? Number.NaN)
  } catch {
    return Number.NaN
  }
}

function keep(key: string, rows: number): void {
  try {
    sessionStorage.setItem(key, String(rows))
  } catch {
    // The next skeleton has the page's size.
  }
}

/**
 * How many rows a list's skeleton has: as many as the list when this tab saw it last, so that the page keeps its
 * length when they come; the page's size where it was never seen. `rows` is how many there are now.
 */
export function useAwaitedRows(list: string, size: number, rows: number | undefined): number {
  const key = `rows ${list}`
  useEffect(() => {
    if (rows !== undefined) keep(key, rows)
  }, [key, rows])
  const [last] = useState(() => before(key))
  return Number.isNaN(last) ? size : Math.min(size, Math.max(1, last))
}
