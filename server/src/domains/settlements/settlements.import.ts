import { valueFault } from '@karvon/contract/lib/field-messages.ts'
import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import { maxActLines, maxActs, maxLine } from '@karvon/contract/lib/limits.ts'
import type { Db } from '../../platform/database/pool.ts'
import { importSheet, type RowReader } from '../../platform/spreadsheets/spreadsheets.import.ts'
import type { SheetFile } from '../../platform/spreadsheets/spreadsheets.read.ts'
import { isTotalWord } from '../../platform/spreadsheets/spreadsheets.text.ts'
import { createTextParser, parseDay, parsePastDay } from '../../platform/spreadsheets/spreadsheets.values.ts'
import { parseAmount } from './settlements.amounts.ts'
import { actHeadings, type ActColumn } from './settlements.headings.ts'
import { createEmptyAct, storeAct } from './settlements.store.ts'
import type { ActAccount, ActInput, ActLineInput } from './settlements.types.ts'

const parseLine = createTextParser(maxLine)
const noCounts = { imported: 0, updated: 0, unchanged: 0 }

interface FileAct extends ActInput {
  lines: ActLineInput[]
  hasWrongRow: boolean
}

interface FileActs {
  byKey: Map<string, FileAct>
  /** Keys of acts whose number or day a row with an order number does not give. */
  partialKeys: Set<string>
}

const getActKey = (act_date: string | null, number: string | null) => `${act_date ?? ''} ${number ?? ''}`

/**
 * Imports the acts of a file; each row is a line. An act with a wrong row is not stored, because it would
 * lose that line. A row with an order number that lacks the number or the day of its act is a wrong row of each act that it
 * can belong to. A row of totals is skipped. A repeated import changes nothing.
 * Errors: 422 for a missing column or an empty file; see {@link importSheet}.
 */
export async function importActFile(db: Db, file: SheetFile, account: ActAccount): Promise<ImportAnswer> {
  const acts: FileActs = { byKey: new Map(), partialKeys: new Set() }
  const answer = await importSheet<ActColumn, ActLineInput>({
    file,
    headerNames: actHeadings,
    requiredColumns: ['act_number', 'act_date', 'orderno', 'collected'],
    readRow: (row) => addRow(row, acts),
    batchSize: 1000,
    // The rows of an act may be anywhere in the file, so acts are stored after the last row.
    storeBatch: async () => noCounts,
  })
  const counts = { ...noCounts }
  let { skipped } = answer
  for (const { hasWrongRow, ...act } of acts.byKey.values()) {
    if (hasWrongRow || canLackRow(act, acts)) {
      skipped += act.lines.length
      continue
    }
    const storedCounts = await storeAct(db, account, act)
    file.progress?.addCounts(storedCounts)
    counts.imported += storedCounts.imported
    counts.updated += storedCounts.updated
    counts.unchanged += storedCounts.unchanged
  }
  if (file.progress !== undefined) file.progress.skipped = skipped
  return { ...answer, ...counts, skipped }
}

function canLackRow({ act_date, number }: ActInput, { partialKeys }: FileActs): boolean {
  const keys = [getActKey(act_date, null), getActKey(null, number), getActKey(null, null)]
  return keys.some((key) => partialKeys.has(key))
}

/** Adds a row to its act. Answers its line; null if the row is wrong. */
function addRow(row: RowReader<ActColumn>, { byKey, partialKeys }: FileActs): ActLineInput | null {
  if (isTotalWord(row.readText('orderno'))) {
    row.addFault('orderno', valueFault('total_row'))
    return null
  }
  if (row.row > maxActLines) row.addFault('orderno', valueFault('too_many_orders', { max: maxActLines }))
  const number = row.readRequired('act_number', parseLine)
  const act_date = row.readRequired('act_date', parsePastDay)
  const paid_at = row.readOptional('paid_at', parsePastDay)
  const line = readLine(row)
  const key = getActKey(act_date, number)
  if (number === null || act_date === null) {
    if (row.readText('orderno') !== '') partialKeys.add(key)
    return null
  }
  if (!byKey.has(key) && byKey.size >= maxActs) {
    row.addFault('act_number', valueFault('too_many_orders', { max: maxActs }))
    return null
  }
  const act = byKey.get(key) ?? createAct(number, act_date)
  byKey.set(key, act)
  act.paid_at ??= paid_at
  if (paid_at !== null && paid_at !== act.paid_at) row.addFault('paid_at', valueFault('differs_in_act'))
  if (row.problems.length === 0) act.lines.push(line)
  else act.hasWrongRow = true
  return row.problems.length === 0 ? line : null
}

const createAct = (number: string, act_date: string): FileAct => ({
  ...createEmptyAct({ origin: 'file', number, act_date }),
  hasWrongRow: false,
})

const readLine = (row: RowReader<ActColumn>): ActLineInput => ({
  orderno: row.readRequired('orderno', parseLine) ?? '',
  code: row.readOptional('code', parseLine),
  order_date: row.readOptional('order_date', parseDay),
  delivered_date: row.readOptional('delivered_date', parseDay),
  company: row.readOptional('company', parseLine),
  collected: row.readRequired('collected', parseAmount),
  fee: row.readOptional('fee', parseAmount),
  delivery_fee: row.readOptional('delivery_fee', parseAmount),
  cash_fee: row.readOptional('cash_fee', parseAmount),
  due: row.readOptional('due', parseAmount),
  declared_value: null,
  weight: null,
  pay_type: row.readOptional('pay_type', parseLine),
  status_title: row.readOptional('status_title', parseLine),
})
