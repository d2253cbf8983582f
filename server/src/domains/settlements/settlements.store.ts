import { createHash } from 'node:crypto'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction, joinTransaction } from '../../platform/database/transaction.ts'
import type { IngestResult } from '../../platform/spreadsheets/spreadsheets.progress.ts'
import { checkLines, closeMissing } from './settlements.compare.queries.ts'
import { postActEntries, postLineEntries } from './settlements.ledger.queries.ts'
import { queueActNotices } from './settlements.notices.ts'
import {
  addLinesOfParcels,
  findAct,
  insertAct,
  lockAccount,
  lockAct,
  lockParcels,
  markChecked,
  matchLines,
  readLineIds,
  readNextLines,
  readStoredLines,
  removeLines,
  settleParcels,
  updateAct,
  upsertLines,
  type NextLine,
  type StoredLine,
} from './settlements.store.queries.ts'
import type { ActAccount, ActInput, ActLineInput, ChangedLine, NumberedLine } from './settlements.types.ts'

/** An act without a code, sums and lines. Hashes of stored acts depend on the order of the keys. */
export const createEmptyAct = ({
  origin,
  number,
  act_date,
}: Pick<ActInput, 'origin' | 'number' | 'act_date'>) => ({
  origin,
  code: null,
  number,
  act_date,
  paid_at: null,
  collected: null,
  fees: null,
  correction: null,
  pay_type: null,
  has_signed_copy: null,
  header_hash: null,
  lines: [],
})

/** Rows in one statement. */
const batchSize = 5000

/**
 * Stores an act of an account, in the caller's transaction if there is one. Fetching and imports use this function. It matches
 * the lines with the parcels of the account, marks these as settled, and opens and closes differences. A repeated act
 * changes nothing; a corrected one changes only what it corrects. Answers the counts of lines; a removed line counts as updated.
 */
export const storeAct = (db: Db, account: ActAccount, act: ActInput): Promise<IngestResult> =>
  joinTransaction(db, (trx) => storeActIn(trx, account, act))

async function storeActIn(trx: Db, account: ActAccount, act: ActInput): Promise<IngestResult> {
  const { accountId } = account
  const lockedAccount = await lockAccount(trx, accountId)
  const lines = numberLines(act.lines)
  const contentHash = hashAct(act, lines)
  const storedAct = await findAct(trx, accountId, act)
  if (storedAct?.content_hash === contentHash) return { imported: 0, updated: 0, unchanged: lines.length }
  const actId = storedAct?.id ?? (await insertAct(trx, account, act))
  const writtenLines: (ChangedLine & { is_new: boolean })[] = []
  for (const batch of inBatches(lines))
    writtenLines.push(...(await upsertLines(trx, { actId, account: lockedAccount }, batch)))
  const storedLines = await readStoredLines(trx, actId)
  const removedLines = findRemoved(storedLines, lines)
  for (const batch of inBatches(getIds(removedLines))) await removeLines(trx, batch)
  await updateAct(trx, actId, { act, contentHash })
  // The first act of a parcel settles it, so another day may change which line that is.
  const hasOtherDay = storedAct !== undefined && storedAct.act_date !== act.act_date
  const parcels = getParcels(hasOtherDay ? storedLines : [...writtenLines, ...removedLines])
  await compareParcels(trx, { lines: getIds(storedLines), parcels })
  // A payment concerns every line, changed or not.
  await postAct(trx, actId, getIds(storedLines))
  if (storedAct === undefined) await queueActNotices(trx, actId)
  const importedCount = writtenLines.filter(({ is_new }) => is_new).length
  return {
    imported: importedCount,
    updated: writtenLines.length + removedLines.length - importedCount,
    unchanged: lines.length - writtenLines.length,
  }
}

/**
 * Matches the lines of a stored act that have no parcel, and compares all, after parcels or tariffs changed. An act that was voided
 * since the job found it stays marked, because `finishVoid` removes its lines.
 */
export async function recheckAct(
  db: Db,
  { id, courier_account_id }: { id: number; courier_account_id: number },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const account = await lockAccount(trx, courier_account_id)
    if ((await lockAct(trx, id))?.voided_at !== null) return
    const matchedLines = await matchLines(trx, id, account)
    await compareParcels(trx, { lines: await readLineIds(trx, id), parcels: getParcels(matchedLines) })
    await postAct(trx, id, getIds(matchedLines))
    await markChecked(trx, id)
  })
}

/**
 * Makes an act one without lines, sums and payment, and removes its next lines after `after`, `limit` at most. Answers the last
 * removed line; undefined if no line is left. The caller has locked the account.
 */
export async function emptyAct(
  trx: Db,
  { id, number, act_date }: { id: number; number: string; act_date: string },
  { after, limit }: { after: NextLine | undefined; limit: number },
): Promise<NextLine | undefined> {
  const lines = await readNextLines(trx, id, { after, limit })
  await removeLines(trx, getIds(lines))
  const act = createEmptyAct({ origin: 'admin', number, act_date })
  await updateAct(trx, id, { act, contentHash: hashAct(act, []) })
  await compareParcels(trx, { lines: getIds(lines), parcels: getParcels(lines) })
  await postAct(trx, id, getIds(lines))
  return lines.length < limit ? undefined : lines.at(-1)
}

/** Compares `lines`, and all lines of `parcels`, which are those whose lines may differ now. */
async function compareParcels(
  trx: Db,
  { lines, parcels }: { lines: readonly number[]; parcels: readonly number[] },
): Promise<void> {
  await lockParcels(trx, parcels)
  for (const batch of inBatches(parcels)) {
    await settleParcels(trx, batch)
    await closeMissing(trx, batch)
  }
  for (const batch of inBatches(await addLinesOfParcels(trx, lines, parcels))) await checkLines(trx, batch)
}

async function postAct(trx: Db, actId: number, lines: readonly number[]): Promise<void> {
  for (const batch of inBatches(lines)) await postLineEntries(trx, batch)
  await postActEntries(trx, actId)
}

/** Statements of a large act stay far below the time limit of a statement. */
function* inBatches<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += batchSize) yield rows.slice(at, at + batchSize)
}

const getIds = (lines: readonly ChangedLine[]) => lines.map(({ id }) => id)
const getParcels = (lines: readonly ChangedLine[]) => lines.flatMap(({ parcel_id }) => parcel_id ?? [])

/** The stored lines that an act no longer has. */
function findRemoved(storedLines: readonly StoredLine[], lines: readonly NumberedLine[]): StoredLine[] {
  const getKey = ({ orderno, occurrence }: StoredLine | NumberedLine) => `${occurrence} ${orderno}`
  const currentKeys = new Set(lines.map(getKey))
  return storedLines.filter((line) => !line.is_removed && !currentKeys.has(getKey(line)))
}

/** Numbers the lines of each order. The order of the lines in the act has no influence. */
function numberLines(lines: readonly ActLineInput[]): NumberedLine[] {
  const getKey = (line: ActLineInput) => JSON.stringify([line.code, line])
  const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
  const occurrences = new Map<string, number>()
  return lines
    .toSorted((a, b) => compare(a.orderno, b.orderno) || compare(getKey(a), getKey(b)))
    .map((line) => {
      const occurrence = (occurrences.get(line.orderno) ?? 0) + 1
      occurrences.set(line.orderno, occurrence)
      return { ...line, occurrence }
    })
}

function hashAct(act: ActInput, lines: readonly NumberedLine[]): string {
  const hash = createHash('sha256').update(JSON.stringify({ ...act, lines: lines.length }))
  for (const line of lines) hash.update(JSON.stringify(line))
  return hash.digest('hex')
}
