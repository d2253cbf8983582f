import { normalizeApostrophes, otherApostrophes } from '@karvon/contract/lib/apostrophes.ts'
import { normalizeSpelling } from '@karvon/contract/lib/trim-text.ts'
import { toLikePattern, type Where } from '../../resources/lists.where.ts'

const phoneSeparators = ' ()+-./\u00A0'
const phoneSeparator = new RegExp(`[${RegExp.escape(phoneSeparators)}]`, 'g')
/** SQL: the phone number without separators. The index `parcels_text_search` has this expression. */
const phoneSql = `translate(p.phone, '${phoneSeparators}', '')`

/** The characters of a search for which `ilike` reads the index. */
const maxIndexedSearch = 32

/** The start of a search that the index finds. Never ends with half of a surrogate pair. */
export const cutSearch = (text: string): string =>
  text.slice(0, maxIndexedSearch).replace(/[\uD800-\uDBFF]$/, '')

/** True if a trigram index supports the search for a text. */
export const isIndexed = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text)

/** SQL: a text with each apostrophe as `normalizeApostrophes` has it. */
const normalizeSql = (column: string) =>
  `translate(${column}, '${otherApostrophes}', repeat('''', ${otherApostrophes.length}))`

/**
 * SQL: each column contains the text. `ilike` converts the case of its whole pattern for each row that the index finds. So the pattern has
 * only the start of a long text, and the whole text is compared after it.
 */
function buildColumnSearch(where: Where, columns: readonly string[], text: string): string[] {
  const start = cutSearch(text)
  const pattern = where.addParameter(toLikePattern(start))
  if (start === text) return columns.map((column) => `${column} ilike ${pattern}`)
  const whole = where.addParameter(normalizeApostrophes(normalizeSpelling(text)))
  return columns.map(
    (column) =>
      `(${column} ilike ${pattern} and strpos(lower(${normalizeSql(column)}), lower(${whole})) > 0)`,
  )
}

const cyrillicKeys = 'йцукенгшщзхъфывапролджэячсмитьбю'
const latinKeys = "qwertyuiop[]asdfghjkl;'zxcvbnm,."

/** What the pressed keys type on the Latin layout. A scanner that reads EX-1 types УЧ-1 on the Russian one. */
const toLatinLayout = (text: string): string =>
  text.toLowerCase().replaceAll(/[а-я]/g, (letter) => latinKeys[cyrillicKeys.indexOf(letter)] ?? letter)

/** SQL: a column of codes contains what the keys of a Cyrillic text type on the Latin layout. Codes have digits, names have none. */
function buildLatinSearch(where: Where, columns: readonly string[], text: string): string[] {
  const latinText = toLatinLayout(text)
  // Without an index the search would read each row.
  const isSearched = /[а-я]/i.test(text) && /\d/.test(text) && isIndexed(cutSearch(latinText))
  return isSearched ? buildColumnSearch(where, columns, latinText) : []
}

/** SQL: the order number contains the text. */
export function buildOrderNumberSearch(where: Where, text: string): string {
  const columns = ['p.orderno']
  const conditions = [...buildColumnSearch(where, columns, text), ...buildLatinSearch(where, columns, text)]
  return `(${conditions.join(' or ')})`
}

/** SQL: the order number, the barcode or a text of the receiver contains the text. Phone numbers are compared without separators. */
export function buildParcelSearch(where: Where, text: string): string {
  const columns = ['orderno', 'barcode', 'person', 'company', 'town'].map((key) => `p.${key}`)
  const phoneText = text.replaceAll(phoneSeparator, '')
  const conditions = [
    ...buildColumnSearch(where, columns, text),
    ...(phoneText === '' ? [] : buildColumnSearch(where, [phoneSql], phoneText)),
    ...buildLatinSearch(where, ['p.orderno', 'p.barcode'], text),
  ]
  return `(${conditions.join(' or ')})`
}
