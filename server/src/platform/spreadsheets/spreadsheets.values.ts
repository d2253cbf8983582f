import { valueFault, type ValueFault } from '@karvon/contract/lib/field-messages.ts'
import { isCurrency } from '@karvon/contract/lib/money.ts'
import { estimateDatabaseTime } from '../database/clock.estimate.ts'
import { removeControlCharacters } from '../http/wellformed.ts'

// Strict parsers of cells: an ambiguous value is a fault and never a guess. Each parser returns the value or the fault.

export type CellResult<T> = { value: T; fault?: never } | { value?: never; fault: ValueFault }

/** A day with the year first, as ISO 8601 writes it or with slashes or points, and a time. */
const yearFirstPattern =
  /^(\d{4})([-/.])(\d{2})\2(\d{2})(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i
const dottedPattern = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[T\s,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/**
 * Parses a time of ISO 8601, `yyyy/mm/dd hh:mm` or `dd.mm.yyyy hh:mm` to text that PostgreSQL reads. Without an offset it is
 * a time in the zone of the session, which is the installation's zone.
 */
export function parseTime(text: string): CellResult<string> {
  const parts = splitTime(text)
  if (parts === null) return { fault: valueFault('not_a_time') }
  const { year, month, day, hour = '0', minute = '00', second = '00', fraction, offset = '' } = parts
  const isReal =
    isRealDay(year, month, day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    isRealOffset(offset)
  if (!isReal) return { fault: valueFault('time_not_real') }
  const clock = `${hour.padStart(2, '0')}:${minute}:${second}${fraction === undefined ? '' : `.${fraction.slice(0, 6)}`}`
  return { value: `${formatDay(year, month, day)} ${clock}${offset.toUpperCase()}` }
}

/** Parses a day to yyyy-mm-dd, from ISO 8601, yyyy/mm/dd or dd.mm.yyyy. A time after the day is ignored. */
export function parseDay(text: string): CellResult<string> {
  const parts = splitTime(text)
  if (parts === null) return { fault: valueFault('not_a_day') }
  const { year, month, day } = parts
  return isRealDay(year, month, day)
    ? { value: formatDay(year, month, day) }
    : { fault: valueFault('day_not_real') }
}

/** Whether a text is what MySQL, .NET or SQL Server writes for no date, with or without a time. */
export const isEmptyDate = (text: string): boolean => /^(?:0000-00-00|0001-01-01|1900-01-01)(?!\d)/.test(text)

/** Days after today that a time may have, because a clock or a time zone of an outside system may be wrong. */
const maxDaysAhead = 2

/**
 * Parses a time like {@link parseTime}. Refuses a time in the future: newer states of the same row would be ignored
 * until then.
 */
export const parsePastTime = (text: string): CellResult<string> => refuseFuture(parseTime(text))

/** Parses a day like {@link parseDay}. Refuses a day in the future, because what happens on it is not known yet. */
export const parsePastDay = (text: string): CellResult<string> => refuseFuture(parseDay(text))

/** Refuses a parsed time that is too far ahead. */
export const refuseFuture = (result: CellResult<string>): CellResult<string> =>
  result.fault === undefined && isFarAhead(result.value) ? { fault: valueFault('time_in_future') } : result

/** True if the written day of a parsed time is more than {@link maxDaysAhead} after the day of `now`, in UTC. */
export function isFarAhead(time: string, now = estimateDatabaseTime()): boolean {
  const lastDay = new Date(now.getTime() + maxDaysAhead * 24 * 3_600_000).toISOString().slice(0, 10)
  return time.slice(0, 10) > lastDay
}

const thousandsSpaces = /[ \u00a0\u2009\u202f]/g
const plainNumber = /^[+-]?(?:\d{1,3}(?: \d{3})+|\d+)(?:[.,]\d+)?$/
/** `1,200.50`, `1.200,50`, `1,200,000` or `1.200.000`: the mark before the decimals is another one, or there are none. */
const markedThousands =
  /^[+-]?[1-9]\d{0,2}(?:(?:,\d{3})+\.\d+|(?:\.\d{3})+,\d+|(?:,\d{3}){2,}|(?:\.\d{3}){2,})$/

/** Whether a comma with three digits may be between thousands: "25,000", as many programs write a whole amount. */
export const mayBeThousands = (text: string): boolean => /^[+-]?[1-9]\d{0,2},\d{3}$/.test(text)

/**
 * Removes zeros behind the first `decimals` decimals. Other programs write more decimals than a currency has. An amount that
 * may be one of thousands keeps them, so that it has too many decimals.
 */
export const dropExtraZeros = (text: string, decimals: number): string =>
  mayBeThousands(text) ? text : text.replace(new RegExp(`([.,]\\d{${decimals}})0+$`), '$1')

/**
 * Parses a number that is not negative to a decimal string. It may have `.` or `,` before the decimals, and spaces
 * between thousands, or the other mark if that is unambiguous. Too many decimals are a problem; the value is not rounded.
 */
export function parseDecimal(text: string, decimals: number, maxDigits = 13): CellResult<string> {
  const spacedText = text.replaceAll(thousandsSpaces, ' ')
  if (!plainNumber.test(spacedText) && !markedThousands.test(spacedText))
    return { fault: valueFault('not_a_number') }
  const [wholePart, fraction] = splitDecimal(spacedText.replaceAll(/[ +]/g, ''))
  if (wholePart.startsWith('-') && /[1-9]/.test(wholePart + fraction))
    return { fault: valueFault('number_negative') }
  if (fraction.length > decimals) return { fault: findDecimalsFault(decimals) }
  const digits = wholePart.replace(/^-?0*(?=\d)/, '')
  if (digits.length > maxDigits) return { fault: valueFault('number_too_large') }
  return { value: fraction === '' ? digits : `${digits}.${fraction}` }
}

/** Splits a number at its last mark, unless there are several of this mark: they separate thousands. */
function splitDecimal(text: string): [wholePart: string, fraction: string] {
  const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  const hasDecimals = at !== -1 && text.indexOf(text.charAt(at)) === at
  const wholePart = hasDecimals ? text.slice(0, at) : text
  return [wholePart.replaceAll(/[.,]/g, ''), hasDecimals ? text.slice(at + 1) : '']
}

const findDecimalsFault = (decimals: number) =>
  decimals === 0 ? valueFault('must_be_whole_number') : valueFault('more_decimals', { max: decimals })

/** Parses a currency code of ISO 4217 in any letter case to upper case. */
export function parseCurrency(text: string): CellResult<string> {
  const code = text.toUpperCase()
  return isCurrency(code) ? { value: code } : { fault: valueFault('not_a_currency_code') }
}

/**
 * Creates a parser of text with at most `max` characters, which are code points as in the contract and the database.
 * Control characters are removed.
 */
export function createTextParser(max: number): (text: string) => CellResult<string> {
  return (text) => {
    if (text.length > max && (text.length > 2 * max || Array.from(text).length > max))
      return { fault: valueFault('longer_than', { max }) }
    if (text.includes('\0') || !text.isWellFormed()) return { fault: valueFault('unstorable_character') }
    return { value: removeControlCharacters(text) }
  }
}

/** Like {@link createTextParser}, for text that identifies something: two names in another encoding can look the same. */
export function createUtf8Parser(max: number): (text: string) => CellResult<string> {
  const parse = createTextParser(max)
  return (text) => (text.includes('\uFFFD') ? { fault: valueFault('not_utf8') } : parse(text))
}

interface TimeParts {
  year: string
  month: string
  day: string
  hour?: string | undefined
  minute?: string | undefined
  second?: string | undefined
  fraction?: string | undefined
  offset?: string | undefined
}

function splitTime(text: string): TimeParts | null {
  const [, year, , month, day, hour, minute, second, fraction, offset] = yearFirstPattern.exec(text) ?? []
  if (year !== undefined && month !== undefined && day !== undefined)
    return { year, month, day, hour, minute, second, fraction, offset }
  const [, dayFirst, thenMonth, thenYear, ...clock] = dottedPattern.exec(text) ?? []
  if (dayFirst === undefined || thenMonth === undefined || thenYear === undefined) return null
  return {
    year: thenYear,
    month: thenMonth,
    day: dayFirst,
    hour: clock[0],
    minute: clock[1],
    second: clock[2],
  }
}

/** No order is older. A time before 1924 would be answered with an offset that has seconds, which RFC 3339 does not allow. */
const minYear = 1970

function isRealDay(year: string, month: string, day: string): boolean {
  if (Number(year) < minYear || Number(year) > 2200) return false
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day)
}

const formatDay = (year: string, month: string, day: string) =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

function isRealOffset(offset: string): boolean {
  const [, hours = '0', minutes = '0'] = /^[+-](\d{2}):?(\d{2})?$/.exec(offset) ?? []
  return Number(hours) <= 14 && Number(minutes) < 60
}
