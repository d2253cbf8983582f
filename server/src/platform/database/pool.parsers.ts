import pg from 'pg'

type Parser = (text: string) => unknown
type Oid = Parameters<typeof pg.types.getTypeParser>[0]

const { builtins } = pg.types
// Array types have no name in the driver's list; the numbers are pg_type.oid, fixed since PostgreSQL 7.
const INT8_ARRAY = 1016
const dateArrayType = 1182
const timestamptzArrayType = 1185
const numericArrayType = 1231

/**
 * Converts PostgreSQL's `2026-11-21 09:42:00.123+05` (DateStyle ISO, the session's zone) to ISO 8601:
 * `2026-11-21T09:42:00.123+05:00`. Every digit of the fraction stays, so the text is equal to the stored value. A time
 * whose offset has seconds (local mean time of the past) is converted to UTC, because ISO 8601 has no such offset.
 * Infinity and years BC stay unchanged.
 */
export function toIsoTime(text: string): string {
  const sign = text.charCodeAt(text.length - 3)
  if ((sign === 43 || sign === 45) && text.charCodeAt(10) === 32) {
    const iso = `${text.slice(0, 10)}T${text.slice(11)}`
    // `+05` ends three characters after the seconds or their fraction; `+05:30` and `+04:37:11` do not.
    return `${iso}:00`
  }
  return parseOtherIsoTime(text)
}

const otherTimePattern =
  /^(\d{4,6})-(\d\d)-(\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/

function parseOtherIsoTime(text: string): string {
  const [, year, month, day, time, fraction = '', sign, hours, minutes = '00', seconds] =
    otherTimePattern.exec(text) ?? []
  if (year === undefined || year.length > 4) return text
  const local = `${year}-${month}-${day}T${time}`
  if (seconds === undefined) return `${local}${fraction}${sign}${hours}:${minutes}`
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  const utc = new Date(Date.parse(`${local}Z`) - (sign === '-' ? -offset : offset) * 1000)
  return `${utc.toISOString().slice(0, 19)}${fraction}Z`
}

/** Parses int8 to a number. Throws if the number would not be exact, and the query rejects. */
function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number: cast it to text`)
  return value
}

/** Parses a one-dimensional array. Its elements have neither commas nor quotes (numbers, days, times). */
function createArrayParser(parse: Parser): Parser {
  return (text) => {
    const content = text.slice(1, -1)
    if (content === '') return []
    return content.split(',').map((element) => {
      if (element === 'NULL') return null
      return parse(element.startsWith('"') ? element.slice(1, -1) : element)
    })
  }
}

const keepText: Parser = (text) => text

const parsers = new Map<number, Parser>([
  [builtins.INT8, parseSafeInteger],
  [builtins.NUMERIC, Number],
  [builtins.TIMESTAMPTZ, toIsoTime],
  [builtins.TIMESTAMP, keepText],
  [builtins.DATE, keepText],
  [INT8_ARRAY, createArrayParser(parseSafeInteger)],
  [numericArrayType, createArrayParser(Number)],
  [timestamptzArrayType, createArrayParser(toIsoTime)],
  [dateArrayType, createArrayParser(keepText)],
])

/**
 * The types of columns: int8 and numeric as number (money has at most 15 digits, which a number holds
 * exactly), timestamptz as ISO 8601 text, date as yyyy-mm-dd text; all others by the driver's parsers.
 */
export const columnTypes: pg.CustomTypesConfig = { getTypeParser }

function getTypeParser(oid: Oid, format?: 'text' | 'binary'): Parser {
  const ownParser = format === 'binary' ? undefined : parsers.get(oid)
  if (ownParser !== undefined) return ownParser
  return pg.types.getTypeParser(oid, format) as Parser
}
