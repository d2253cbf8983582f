import { withoutControls } from '../http/wellformed.ts'

// What people and other programs write into cells, read strictly: a doubtful value is a row problem, never a
// guess. Each reader gives the value, or what is wrong with it.

export type Reading<T> = { value: T; problem?: never } | { value?: never; problem: string }

const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i
const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/**
 * A moment as text that PostgreSQL reads without a doubt: ISO 8601, or `dd.mm.yyyy hh:mm`. What carries no
 * offset is left without one, and means the session's zone, which is the installation's.
 */
export function readMoment(text: string): Reading<string> {
  const parts = momentParts(text)
  if (parts === null) return { problem: 'is not a time such as 2026-11-21T09:42:00+05:00' }
  const { year, month, day, hour = '0', minute = '00', second = '00', fraction, offset = '' } = parts
  const holds =
    dayExists(year, month, day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    offsetExists(offset)
  if (!holds) return { problem: 'is not a time that exists' }
  const clock = `${hour.padStart(2, '0')}:${minute}:${second}${fraction === undefined ? '' : `.${fraction.slice(0, 6)}`}`
  return { value: `${isoDay(year, month, day)} ${clock}${offset.toUpperCase()}` }
}

/** A day as yyyy-mm-dd, from ISO 8601 or dd.mm.yyyy; a time after it is left aside. */
export function readDay(text: string): Reading<string> {
  const parts = momentParts(text)
  if (parts === null) return { problem: 'is not a day such as 2026-11-21 or 21.11.2026' }
  const { year, month, day } = parts
  return dayExists(year, month, day)
    ? { value: isoDay(year, month, day) }
    : { problem: 'is not a day that exists' }
}

const grouped = /^[+-]?(\d{1,3}([ \u00a0\u202f]\d{3})+|\d+)([.,]\d+)?$/

/**
 * A number that is not negative, as a decimal string: `.` or `,` before the decimals, spaces between
 * thousands. More decimals than `decimals` are a problem, not rounded away.
 */
export function readDecimal(text: string, decimals: number, maxDigits = 13): Reading<string> {
  if (!grouped.test(text)) return { problem: 'is not a number' }
  const [whole = '', fraction = ''] = text.replaceAll(/[ \u00a0\u202f+]/g, '').split(/[.,]/)
  if (whole.startsWith('-') && /[1-9]/.test(whole + fraction)) return { problem: 'must not be negative' }
  if (fraction.length > decimals) return { problem: decimalsText(decimals) }
  const digits = whole.replace(/^-?0*(?=\d)/, '')
  if (digits.length > maxDigits) return { problem: 'is too large' }
  return { value: fraction === '' ? digits : `${digits}.${fraction}` }
}

const decimalsText = (decimals: number) =>
  decimals === 0 ? 'must be a whole number' : `has more than ${decimals} decimals`

/** A currency's code of three letters, in capitals. */
export function readCurrency(text: string): Reading<string> {
  return /^[A-Za-z]{3}$/.test(text) ? { value: text.toUpperCase() } : { problem: 'is not a code such as UZS' }
}

/** Reads text of at most `max` characters; control characters are left out. */
export function textUpTo(max: number): (text: string) => Reading<string> {
  return (text) => {
    if (text.length > max) return { problem: `is longer than ${max} characters` }
    if (text.includes('\0') || !text.isWellFormed())
      return { problem: 'holds a character that cannot be stored' }
    return { value: withoutControls(text) }
  }
}

interface Parts {
  year: string
  month: string
  day: string
  hour?: string | undefined
  minute?: string | undefined
  second?: string | undefined
  fraction?: string | undefined
  offset?: string | undefined
}

function momentParts(text: string): Parts | null {
  const [, year, month, day, hour, minute, second, fraction, offset] = iso.exec(text) ?? []
  if (year !== undefined && month !== undefined && day !== undefined)
    return { year, month, day, hour, minute, second, fraction, offset }
  const [, dayFirst, thenMonth, thenYear, ...clock] = dotted.exec(text) ?? []
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

function dayExists(year: string, month: string, day: string): boolean {
  if (Number(year) < 1900 || Number(year) > 2200) return false
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day)
}

const isoDay = (year: string, month: string, day: string) =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

function offsetExists(offset: string): boolean {
  const [, hours = '0', minutes = '0'] = /^[+-](\d{2}):?(\d{2})?$/.exec(offset) ?? []
  return Number(hours) <= 14 && Number(minutes) < 60
}
