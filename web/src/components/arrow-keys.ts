type Key = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>

/** The index that an arrow key, Home or End moves to in a row of `count` elements. Null for other keys. */
export function moveInRow({ key, altKey, ctrlKey, metaKey }: Key, index: number, count: number) {
  // Alt+Left is the browser's back.
  if (altKey || ctrlKey || metaKey) return null
  if (key === 'ArrowRight') return (index + 1) % count
  if (key === 'ArrowLeft') return (index - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return null
}
