/** Any other whole number is exact as a double, and any other number is finite. */
const longNumber = /\d{16}|\d[eE]\+?\d{3}/

/** A whole number, or one with a large exponent, outside of a text. */
const longNumbers = /(?<![\d.eE+-])-?(?:[1-9]\d{15,}|\d+(?:\.\d+)?[eE]\+?\d{3,})(?=\s*(?:[,\]}]|$))/g

/**
 * Parses JSON like `JSON.parse`, but a whole number that a double would round, such as 9007199254740993, becomes a text
 * with all its digits: it may be an id of an outside system. So does a number that no double holds, such as 1e400. Errors: SyntaxError.
 */
export const parseExactJson = (text: string): unknown => JSON.parse(quoteLongNumbers(text)) as unknown

/**
 * Quotes these numbers in a text of JSON. It reads the text once: a reviver of `JSON.parse`, which gets each number of a body of 1 MB,
 * would block the process for a second.
 */
export function quoteLongNumbers(text: string): string {
  if (!longNumber.test(text)) return text
  const parts: string[] = []
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at)
    const end = quote === -1 ? text.length : findTextEnd(text, quote)
    parts.push(text.slice(at, quote === -1 ? end : quote).replaceAll(longNumbers, quoteIfRounded))
    if (quote !== -1) parts.push(text.slice(quote, end))
    at = end
  }
  return parts.join('')
}

function quoteIfRounded(number: string): string {
  const isExact = /e/i.test(number) ? Number.isFinite(Number(number)) : Number.isSafeInteger(Number(number))
  return isExact ? number : `"${number}"`
}

/** The position after the text that begins at `quote`. */
function findTextEnd(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let at = end
    while (text[at - 1] === '\\') at -= 1
    if ((end - at) % 2 === 0) return end + 1
  }
  return text.length
}
