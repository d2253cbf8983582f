import { postbackNames, subNames, type PostbackMeaning } from '@karvon/contract/postbacks/postbacks.names.ts'
import type { FieldProblem } from '@karvon/contract/lib/problem.ts'
import {
  readCurrency,
  readDecimal,
  readMoment,
  textUpTo,
  type Reading,
} from '../../platform/spreadsheets/spreadsheets.values.ts'
import type { Carried } from './postbacks.carried.ts'

/** What a hit tells of a lead; null where it does not say. Money and times as {@link readHit} found them fit. */
export interface HitTold {
  external_id: string | null
  word: string | null
  payout: string | null
  currency: string | null
  created_at: string | null
  updated_at: string | null
  offer: string | null
  offer_extra_id: string | null
  comment: string | null
  /** sub1 to sub15, goal, and click, which names our stream. */
  subs: Record<string, string>
}

/** Reads a hit under whatever names it uses; `problems` and `missing` say why it cannot be taken. */
export function readHit(carried: Carried): {
  told: HitTold
  problems: FieldProblem[]
  missing: FieldProblem[]
} {
  const problems: FieldProblem[] = []
  const one = (name: string, read: (text: string) => Reading<string>): string | null => {
    const given = carried.get(name)
    if (given === undefined) return null
    const reading = typeof given === 'string' ? read(given) : { problem: 'must be given once, as one value' }
    if (reading.problem === undefined) return reading.value
    problems.push({ field: name, message: `${name} ${reading.problem}` })
    return null
  }
  const told = (meaning: PostbackMeaning, read: (text: string) => Reading<string>): string | null => {
    const name = postbackNames[meaning].find((each) => carried.has(each))
    return name === undefined ? null : one(name, read)
  }
  const external_id = told('external_id', certain(255))
  const word = told('status', certain(100))
  const subs: [string, string | null][] = subNames.map((name) => [name, one(name, textUpTo(1000))])
  subs.push(['click', told('click', certain(255))], ['goal', told('goal', textUpTo(255))])
  return {
    told: {
      external_id,
      word,
      payout: told('payout', readPayout),
      currency: told('currency', readCurrency),
      created_at: told('created_at', readTime),
      updated_at: told('updated_at', readTime),
      offer: told('offer', certain(255)),
      offer_extra_id: told('offer_id', certain(255)),
      comment: told('comment', textUpTo(2000)),
      subs: Object.fromEntries(subs.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    },
    problems,
    missing: [
      ...missing('external_id', 'The network’s id of the lead', carried),
      ...missing('status', 'The status', carried),
    ],
  }
}

function missing(meaning: PostbackMeaning, what: string, carried: Carried): FieldProblem[] {
  const names: readonly string[] = postbackNames[meaning]
  if (names.some((name) => carried.has(name))) return []
  return [{ field: names[0] ?? meaning, message: `${what} is missing: send it as ${names.join(', ')}` }]
}

/** Text that names something: in another encoding two names could come to look the same. */
function certain(max: number): (text: string) => Reading<string> {
  const read = textUpTo(max)
  return (text) => (text.includes('\uFFFD') ? { problem: 'is not UTF-8' } : read(text))
}

/** Some networks write more decimals than their money has: zeros. */
const readPayout = (text: string) => readDecimal(text.replace(/([.,]\d{2})0+$/, '$1'), 2)

/** ISO 8601, or seconds or milliseconds since 1970: up to 11 digits are seconds, which is the year 5138. */
function readTime(text: string): Reading<string> {
  const [, whole, fraction = ''] = /^(\d{9,14})(\.\d+)?$/.exec(text) ?? []
  if (whole !== undefined) {
    const seconds = whole.length > 11 ? Number(whole) / 1000 : Number(`${whole}${fraction}`)
    return readMoment(new Date(Math.round(seconds * 1000)).toISOString())
  }
  // A + that was not encoded arrives as a space.
  return readMoment(text.replace(/(:\d\d(?:\.\d+)?) (\d\d:?\d\d)$/, '$1+$2'))
}
