import { createHash } from 'node:crypto'
import { maxLine } from '@karvon/contract/lib/limits.ts'
import type { CourierAct, CourierActLine } from '../../integrations/measoft/measoft.acts.ts'
import { mapInTurns } from '../../platform/outgoing-http/answers.ts'
import {
  createTextParser,
  dropExtraZeros,
  isEmptyDate,
  parseDay,
  parseDecimal,
  parsePastDay,
} from '../../platform/spreadsheets/spreadsheets.values.ts'
import { parseAmount } from '../settlements/settlements.amounts.ts'
import type { ActInput, ActLineInput } from '../settlements/settlements.types.ts'
import { parseOrNull } from './courier-accounts.parse.ts'

/** An act of the courier's list, without its lines. */
export type ActHeader = Omit<ActInput, 'lines'> & { code: string; header_hash: string }

const parseLine = createTextParser(maxLine)
// As in orders, the courier's program may write more decimals, which are zeros.
const parseWeight = (text: string) => parseDecimal(dropExtraZeros(text, 3), 3, 9)
const parseCourierAmount = (text: string) => parseAmount(dropExtraZeros(text, 2))

const parseDate = (text: string | null, parse: typeof parseDay): string | null =>
  text !== null && isEmptyDate(text) ? null : parseOrNull(text, parse)

export const parseActCode = ({ code }: CourierAct): string | null => parseOrNull(code, parseLine)

/** Parses an act of the list; null without a code or a day, or with an amount that cannot be parsed. */
export function parseActHeader(act: CourierAct): ActHeader | null {
  const code = parseActCode(act)
  const act_date = parseDate(act.act_date, parseDay)
  const amounts = parseAmounts(act, ['collected', 'fees', 'correction'])
  if (code === null || act_date === null || amounts === null) return null
  return {
    ...amounts,
    origin: 'courier',
    code,
    number: parseOrNull(act.number, parseLine) ?? code,
    act_date,
    // A payment of a later day has not arrived yet.
    paid_at: parseDate(act.paid_at, parsePastDay),
    pay_type: parseOrNull(act.pay_type, parseLine),
    has_signed_copy: act.signed_copy === null ? null : act.signed_copy.toUpperCase() === 'YES',
    header_hash: createHash('sha256').update(JSON.stringify(act)).digest('hex'),
  }
}

/** Parses the lines of an act; null if an amount cannot be parsed, because the act would be stored with a wrong sum. */
export async function parseActLines(lines: readonly CourierActLine[]): Promise<ActLineInput[] | null> {
  const parsedLines = await mapInTurns(lines, parseActLine)
  return parsedLines.includes(null) ? null : parsedLines.filter((line) => line !== null)
}

function parseActLine(line: CourierActLine): ActLineInput | null {
  const amounts = parseAmounts(line, ['collected', 'fee', 'delivery_fee', 'cash_fee', 'due'])
  if (amounts === null) return null
  return {
    ...amounts,
    orderno: parseOrNull(line.orderno, createTextParser(100)) ?? '',
    code: parseOrNull(line.code, parseLine),
    order_date: parseDate(line.order_date, parseDay),
    delivered_date: parseDate(line.delivered_date, parseDay),
    company: parseOrNull(line.company, parseLine),
    declared_value: parseOrNull(line.declared_value, parseCourierAmount),
    weight: parseOrNull(line.weight, parseWeight),
    pay_type: parseOrNull(line.pay_type, parseLine),
    status_title: parseOrNull(line.status_title, parseLine),
  }
}

/** Parses amounts, which may be missing; null if one of them cannot be parsed. */
function parseAmounts<Key extends string>(
  row: Readonly<Record<Key, string | null>>,
  keys: readonly Key[],
): Record<Key, string | null> | null {
  const parsedValues = keys.map((key) => [key, parseOrNull(row[key], parseCourierAmount)] as const)
  if (parsedValues.some(([key, value]) => value === null && row[key] !== null)) return null
  return Object.fromEntries(parsedValues) as Record<Key, string | null>
}
