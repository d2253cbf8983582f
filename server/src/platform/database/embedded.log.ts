import { copyFileSync, statSync, truncateSync } from 'node:fs'

// Bytes. The log holds errors and restarts, no statements: this is months of a quiet desk.
const LARGEST = 5 * 1024 * 1024
const HOUR = 3_600_000

/** Size in bytes, 0 if there is none. */
export function logSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Moves a log that has grown too large to `.1`, now and every hour. Answers what ends that. */
export function keepLogSmall(path: string, largest = LARGEST): () => void {
  const shrink = () => {
    if (logSize(path) <= largest) return
    try {
      copyFileSync(path, `${path}.1`)
    } catch {
      // No room for what is old: the present is let go, too, which makes some.
    }
    // PostgreSQL appends, so it goes on at the new end of the same file.
    truncateSync(path)
  }
  shrink()
  const timer = setInterval(shrink, HOUR)
  timer.unref()
  return () => clearInterval(timer)
}
