/** The accepted header texts of each column. */
export type HeaderNames<K extends string> = Readonly<Record<K, readonly string[]>>

/** The index of each column of a file, without missing columns. */
export type ColumnIndexes<K extends string> = ReadonlyMap<K, number>

/**
 * Removes differences between spellings of a header: case, accents, apostrophes, punctuation and spaces. Uzbek letters
 * lose their apostrophe (the modifier letter ʻ, \p{Lm}). The Cyrillic ё and й become е and и.
 */
function normalizeHeader(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]|\p{Lm}/gu, '')
}

/** A unit at the end of a header: the national currency, kilograms or pieces. Other units would change the value. */
const unit = /[\s,([](?:сум|сўм|so\p{P}?m|so\p{Lm}m|uzs|кг|kg|шт|дона|dona|pcs)[\s.)\]]*$/iu

/**
 * Finds the columns in a header row. A header may end with a unit. Of several headers of a column the one is used that has the name of the
 * column itself, else the more exact one (`Номер заказа` beside `Номер`), else the first one.
 */
export function matchHeaders<K extends string>(
  cells: readonly string[],
  headerNames: HeaderNames<K>,
): ColumnIndexes<K> {
  const keys = Object.keys(headerNames) as K[]
  const keyByHeader = new Map<string, K>()
  for (const key of keys) {
    for (const headerName of [key, ...headerNames[key]]) keyByHeader.set(normalizeHeader(headerName), key)
  }
  const headers = cells.map((cell) => {
    const header = normalizeHeader(cell)
    return keyByHeader.has(header) ? header : normalizeHeader(cell.trim().replace(unit, ''))
  })
  const columns = new Map<K, number>()
  for (const key of keys) {
    const at = headers.indexOf(normalizeHeader(key))
    if (at !== -1) columns.set(key, at)
  }
  const namedKeys = new Set(columns.keys())
  for (const [at, header] of headers.entries()) {
    const key = keyByHeader.get(header)
    if (key === undefined || namedKeys.has(key)) continue
    const earlierAt = columns.get(key)
    if (earlierAt === undefined || isMoreExact(header, headers[earlierAt] ?? '')) columns.set(key, at)
  }
  return columns
}

/** Whether a normalized header has all words of another one, and more. */
const isMoreExact = (header: string, earlierHeader: string): boolean =>
  header.length > earlierHeader.length && header.includes(earlierHeader)
