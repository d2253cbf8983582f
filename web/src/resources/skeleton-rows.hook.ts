import { useEffect, useState } from 'react'

// Refused storage is the same as empty storage.
function readRowCount(key: string): number {
  try {
    return Number(sessionStorage.getItem(key) ?? Number.NaN)
  } catch {
    return Number.NaN
  }
}

function storeRowCount(key: string, rows: number): void {
  try {
    sessionStorage.setItem(key, String(rows))
  } catch {
    // Without storage the next skeleton has the page size.
  }
}

/**
 * The number of skeleton rows: the number of rows when this tab last showed the list, so that the page keeps
 * its height; the page size for a list that was never shown. `rows` is the current number.
 */
export function useSkeletonRowCount(list: string, size: number, rows: number | undefined): number {
  const key = `rows ${list}`
  useEffect(() => {
    if (rows !== undefined) storeRowCount(key, rows)
  }, [key, rows])
  const [lastRowCount] = useState(() => readRowCount(key))
  return Number.isNaN(lastRowCount) ? size : Math.min(size, Math.max(1, lastRowCount))
}
