/** A shorter whole number is always exact as a double. */
const longNumber = /\d{16}/

interface ReviverContext {
  source?: string
}

/**
 * Parses JSON like `JSON.parse`, but a whole number that a double would round, such as 9007199254740993, becomes a text
 * with all its digits: it may be an id of an outside system. Errors: SyntaxError.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, longNumber.test(text) ? keepDigits : undefined) as unknown
}

/** Quotes these numbers in a text of JSON. A text that is not JSON stays as it is. */
export function quoteLongNumbers(text: string): string {
  if (!longNumber.test(text)) return text
  try {
    return JSON.stringify(parseExactJson(text))
  } catch {
    return text
  }
}

function keepDigits(_key: string, value: unknown, { source = '' }: ReviverContext = {}): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value
}
