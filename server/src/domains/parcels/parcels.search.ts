import { normalizeApostrophes } from '@karvon/contract/lib/apostrophes.ts'
import { buildSearchPattern, type Where } from '../../resources/lists.where.ts'

const phoneSeparators = ' ()+-./\u00A0'
const phoneSeparator = new RegExp(`[${RegExp.escape(phoneSeparators)}]`, 'g')
/** SQL: the phone number without separators. The index `parcels_text_search` has this expression. */
const phoneSql = `translate(p.phone, '${phoneSeparators}', '')`

/** The characters of a search that the index compares. */
const maxIndexedSearch = 32

/** The start of a search that the index finds. Never ends with half of a surrogate pair. */
export const cutSearch = (text: string): string =>
  text.slice(0, maxIndexedSearch).replace(/[\uD800-\uDBFF]$/, '')

/** True if a trigram index supports the search for a text. Some kinds of apostrophe are letters, and the search finds all kinds. */
export const isIndexed = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(normalizeApostrophes(text))

/**
 * SQL: each column contains the text. The index would read many trigrams of a long text. So it finds the start of the text, and the
 * whole text is compared after it.
 */
function buildColumnSearch(where: Where, columns: readonly string[], text: string): string[] {
  const start = cutSearch(text)
  const pattern = where.addParameter(buildSearchPattern(start))
  if (start === text) return columns.map((column) => `${column} ~* ${pattern}`)
  const whole = where.addParameter(buildSearchPattern(text))
  return columns.map((column) => `(${column} ~* ${pattern} and regexp_like(${column}, ${whole}, 'i'))`)
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
