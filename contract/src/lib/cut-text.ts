/** A text of at most `max` characters. A longer one ends with an ellipsis, and never with half of a surrogate pair. */
export const cutText = (text: string, max: number): string =>
  (text.length > max ? `${text.slice(0, max - 1)}…` : text).toWellFormed()
