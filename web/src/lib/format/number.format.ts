import { language, speak } from '../i18n/language.ts'

// As the picked language writes them. Browsers know no Uzbek; it writes numbers as Russian does.
const marks =
  language !== '' &&
  new Map(
    new Intl.NumberFormat(language === 'en' ? 'en' : 'ru')
      .formatToParts(12345.6)
      .map(({ type, value }) => [type, value]),
  )

/** A no-break space, unless the language has another: thousands stand apart and never wrap. */
const thousands = (marks && marks.get('group')) || '\u00a0'
const unitGap = '\u00a0'

/** The decimal mark of the picked language; without one, that of whoever asks. */
export const decimalMark = (asked: ',' | '.' = ','): string => (marks && marks.get('decimal')) || asked

/**
 * A number with thousands apart: `1 284`, `-0,5`.
 * `decimals` fixes the digits behind the mark; `mark` is the decimal mark while no language is picked.
 */
export function formatNumber(value: number, decimals?: number, mark: ',' | '.' = ','): string {
  return groupDigits(decimals === undefined ? String(value) : value.toFixed(decimals), mark)
}

/**
 * A size with its unit, decimal as files are sold: `12.4 MB`, `3 kB`; `units` names kilo-, mega- and gigabytes.
 */
export function formatBytes(
  bytes: number,
  units: readonly [string, string, string] = ['kB', 'MB', 'GB'],
  mark: ',' | '.' = '.',
): string {
  const [kilo, mega, giga] = speak(units)
  if (bytes >= 1e9) return `${formatNumber(bytes / 1e9, 2, mark)}${unitGap}${giga}`
  if (bytes >= 1e6) return `${formatNumber(bytes / 1e6, 1, mark)}${unitGap}${mega}`
  return `${formatNumber(Math.ceil(bytes / 1e3))}${unitGap}${kilo}`
}

/** Sets thousands apart in a plain decimal text such as `-1234567.5`; other text is returned unchanged. */
export function groupDigits(plain: string, mark: ',' | '.' = ','): string {
  const parts = /^(-?)(\d+)(?:\.(\d*))?$/.exec(plain)
  if (!parts) return plain
  const [, sign = '', whole = '', fraction] = parts
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands)
  return fraction === undefined ? sign + grouped : sign + grouped + decimalMark(mark) + fraction
}

/**
 * The exact decimal text behind what a person typed (`1 234,50` gives `1234.50`), or null when it is
 * no number with at most `decimals` digits behind the mark. Empty stays empty.
 */
export function parseDecimal(typed: string, decimals: number): string | null {
  const plain = (thousands === ',' ? typed.replace(/,(?=\d{3}(?!\d))/g, '') : typed)
    .replace(/[\s\u00a0\u202f']/g, '')
    .replace(',', '.')
    .replace('\u2212', '-')
  if (plain === '') return ''
  const parts = /^(-?)(\d*)(?:\.(\d*))?$/.exec(plain)
  if (!parts) return null
  const [, sign = '', whole = '', fraction = ''] = parts
  if (whole === '' && fraction === '') return null
  if (fraction.length > decimals) return null
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return sign + digits + (fraction === '' ? '' : `.${fraction}`)
}
