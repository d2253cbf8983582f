/**
 * What separates the values of one filter in an address and in a query. Texts have commas. Karvon removes this control character
 * from texts that it stores, so it separates any texts.
 */
export const textSeparator = '\u001F'
const separators = { number: ',', text: textSeparator } as const

/** Ids, weekdays and hours are numbers. */
export type FilterKind = keyof typeof separators

/** The values of a filter, each one once. */
export const splitFilter = (text: string, kind: FilterKind): string[] => [
  ...new Set(text.split(separators[kind])),
]

export const joinFilter = (values: readonly string[], kind: FilterKind): string =>
  values.join(separators[kind])
