import { missingValue } from './missing.ts'
import { getText, language } from '../i18n/language.ts'

// The symbols of the picked language. Browsers do not know Uzbek, which writes numbers like Russian.
const localeSymbols =
  language !== '' &&
  new Map(
    new Intl.NumberFormat(language === 'en' ? 'en' : 'ru')
      .formatToParts(12345.6)
      .map(({ type, value }) => [type, value]),
  )

/** The separator of thousands. Default: a no-break space, so that numbers never wrap. */
const thousandsSeparator = (localeSymbols && localeSymbols.get('group')) || '\u00a0'
/** The separator of a number and its unit. */
export const unitSeparator = '\u00a0'

/** The decimal mark of the picked language, else `fallback`. */
export const getDecimalMark = (fallback = ','): string =>
  (localeSymbols && localeSymbols.get('decimal')) || fallback

/**
 * A number with grouped thousands: `1 284`, `-0,5`. `decimals` fixes the number of decimals. `decimalMark`
 * applies while no language is picked.
 */
export function formatNumber(value: number, decimals?: number, decimalMark = ','): string {
  return groupDigits(decimals === undefined ? String(value) : value.toFixed(decimals), decimalMark)
}

/** The names of kilo-, mega- and gigabytes, and the decimal mark while no language is picked. */
export type SizeUnits = {
  readonly kilobyte: string
  readonly megabyte: string
  readonly gigabyte: string
  readonly decimalMark: string
}

const defaultSizeUnits: SizeUnits = {
  kilobyte: getText('units.kilobyte', 'kB'),
  megabyte: getText('units.megabyte', 'MB'),
  gigabyte: getText('units.gigabyte', 'GB'),
  decimalMark: '.',
}

/** A size with its unit, in powers of 1000: `12.4 MB`, `3 kB`. */
export function formatBytes(bytes: number, units = defaultSizeUnits): string {
  const { decimalMark } = units
  if (bytes >= 1e9) return `${formatNumber(bytes / 1e9, 2, decimalMark)}${unitSeparator}${units.gigabyte}`
  if (bytes >= 1e6) return `${formatNumber(bytes / 1e6, 1, decimalMark)}${unitSeparator}${units.megabyte}`
  return `${formatNumber(Math.ceil(bytes / 1e3))}${unitSeparator}${units.kilobyte}`
}

/** Groups the thousands of a plain decimal text such as `-1234567.5`. Other text is returned unchanged. */
export function groupDigits(decimal: string, decimalMark = ','): string {
  const parts = /^(-?)(\d+)(?:\.(\d*))?$/.exec(decimal)
  if (!parts) return decimal
  const [, sign = '', wholePart = '', fraction] = parts
  const groupedDigits = wholePart.replace(/\B(?=(\d{3})+$)/g, thousandsSeparator)
  return fraction === undefined
    ? sign + groupedDigits
    : sign + groupedDigits + getDecimalMark(decimalMark) + fraction
}

/**
 * The exact decimal text of a typed number: `1 234,50` and `+1234.50` give `1234.50`. Null when the text is not a number or
 * has more than `decimals` decimals. Empty stays empty.
 */
export function parseDecimal(typedText: string, decimals: number): string | null {
  const decimal = (thousandsSeparator === ',' ? removeGroupCommas(typedText) : typedText)
    .replace(/^\s*\+|[\s\p{Cf}']/gu, '')
    .replace(',', '.')
    .replace('\u2212', '-')
  if (decimal === '') return ''
  const parts = /^(-?)(\d*)(?:\.(\d*))?$/.exec(decimal)
  if (!parts) return null
  const [, sign = '', wholePart = '', fraction = ''] = parts
  if (wholePart === '' && fraction === '') return null
  if (fraction.length > decimals) return null
  const digits = wholePart.replace(/^0+(?=\d)/, '') || '0'
  return sign + digits + (fraction === '' ? '' : `.${fraction}`)
}

/** A number with commas between all of its thousands. One that begins with 0, such as `0,500`, has none. */
const groupedNumber = /^[\s\p{Cf}]*[-+\u2212]?[1-9]\d{0,2}(?:,\d{3})+(?=[\s\p{Cf}.]|$)/u

const removeGroupCommas = (text: string): string =>
  text.replace(groupedNumber, (number) => number.replaceAll(',', ''))

/** A rate from 0 to 1 as percent: `58.1%`. A dash when it is missing. */
export const formatRate = (rate: number | null | undefined, decimals = 1): string =>
  typeof rate === 'number' ? `${formatNumber(rate * 100, decimals, '.')}%` : missingValue
