import { copyFileSync, statSync, truncateSync } from 'node:fs'

// Bytes. Enough for months: the log has errors and restarts, but no statements.
const maxLogBytes = 5 * 1024 * 1024
const rotationInterval = 3_600_000

/** The size in bytes; 0 if the file is missing. */
export function getLogSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Moves a log above `maxBytes` to `.1`, now and every hour. Returns a function that stops the rotation. */
export function startLogRotation(path: string, maxBytes = maxLogBytes): () => void {
  const rotate = () => {
    if (getLogSize(path) <= maxBytes) return
    try {
      copyFileSync(path, `${path}.1`)
    } catch {
      // The disk is full. The log is truncated without a copy, which frees space.
    }
    // PostgreSQL appends, so it continues at the new end of the file.
    truncateSync(path)
  }
  rotate()
  const timer = setInterval(rotate, rotationInterval)
  timer.unref()
  return () => clearInterval(timer)
}
