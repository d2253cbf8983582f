import { useEffect, useState } from 'react'

/** The number of new rows that are drawn at once. 200 would block the page. */
const rowsPerStep = 50

/**
 * The keys of the rows to draw now: those that are drawn already, and at most 50 more. The others follow step by step,
 * so that the page answers in between.
 */
export function useDrawnKeys(keys: readonly string[]): ReadonlySet<string> {
  const [before, setBefore] = useState<ReadonlySet<string>>(new Set())
  const newKeys = keys.filter((key) => !before.has(key))
  const waiting = new Set(newKeys.slice(rowsPerStep))
  const drawn = new Set(keys.filter((key) => !waiting.has(key)))
  useEffect(() => {
    if (waiting.size === 0) return
    const timer = setTimeout(() => setBefore(drawn))
    return () => clearTimeout(timer)
  })
  return drawn
}
