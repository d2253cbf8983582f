/** For each column that a file can have: the wordings of its heading. */
export type Headings<K extends string> = Readonly<Record<K, readonly string[]>>

/** Where each column stands in a file; columns that it has not are left out. */
export type Columns<K extends string> = ReadonlyMap<K, number>

/**
 * A heading stripped of what people vary: case, accents, apostrophes, punctuation and spaces. Uzbek letters
 * with an apostrophe lose it (as a letter ʻ it is a modifier, \p{Lm}), the Cyrillic ё and й meet е and и.
 */
function plainHeading(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]|\p{Lm}/gu, '')
}

/** Finds the columns of a heading row; of two columns with one meaning the first counts. */
export function matchHeadings<K extends string>(cells: readonly string[], headings: Headings<K>): Columns<K> {
  const known = new Map<string, K>()
  for (const key of Object.keys(headings) as K[]) {
    for (const wording of [key, ...headings[key]]) known.set(plainHeading(wording), key)
  }
  const columns = new Map<K, number>()
  for (const [at, cell] of cells.entries()) {
    const key = known.get(plainHeading(cell))
    if (key !== undefined && !columns.has(key)) columns.set(key, at)
  }
  return columns
}
