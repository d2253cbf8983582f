import { AppError } from '../errors.ts'

/** Exports at once, each with a connection of its own; the pool has ten for everything. */
const most = 3
const mostOfOne = 2
/** Seconds. */
const retryAfter = 10

const running: number[] = []

/**
 * Makes room for one person's export, and answers how to give it back.
 * Errors: 429 where two of theirs are under way, 503 where three of anybody's are.
 */
export function takeSlot(userId: number): () => void {
  if (running.filter((each) => each === userId).length >= mostOfOne) {
    const text = 'Two of your downloads are under way. Wait for one of them.'
    throw new AppError('too_many_requests', text, { retryAfter })
  }
  if (running.length >= most)
    throw new AppError('unavailable', 'Several downloads are under way. Try again shortly.', { retryAfter })
  running.push(userId)
  let taken = true
  return () => {
    if (!taken) return
    taken = false
    running.splice(running.indexOf(userId), 1)
  }
}
