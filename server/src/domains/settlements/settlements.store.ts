import { createHash } from 'node:crypto'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { RowCounts } from '../../platform/spreadsheets/spreadsheets.progress.ts'
import { checkLines, closeMissing } from './settlements.compare.queries.ts'
import { postActEntries } from './settlements.ledger.queries.ts'
import { queueActNotices } from './settlements.notices.ts'
import {
  findAct,
  insertAct,
  lockAccount,
  markChecked,
  readActParcels,
  rematchLines,
  removeLines,
  settleParcels,
  updateAct,
  upsertLines,
} from './settlements.store.queries.ts'
import type { ActAccount, ActInput, ActLineInput, ChangedLine, NumberedLine } from './settlements.types.ts'

/** Lines in one statement. */
const batchSize = 5000
/** Attempts of an act that deadlocks with other transactions. */
const maxAttempts = 5

/**
 * Stores acts of an account, each in a transaction of its own. Fetching and imports use this function. It matches the lines
 * with the parcels of the account's user, marks these as settled, and opens and closes differences. A repeated act changes
 * nothing; a corrected one changes only what it corrects. Answers the counts of lines; a removed line counts as updated.
 */
export async function storeActs(db: Db, account: ActAccount, acts: readonly ActInput[]): Promise<RowCounts> {
  const counts = { imported: 0, updated: 0, unchanged: 0 }
  for (const act of acts) {
    const stored = await inTransaction(db, (trx) => storeAct(trx, account, act), { attempts: maxAttempts })
    counts.imported += stored.imported
    counts.updated += stored.updated
    counts.unchanged += stored.unchanged
  }
  return counts
}

/** Stores an act in the caller's transaction; see {@link storeActs}. */
export async function storeAct(trx: Db, account: ActAccount, act: ActInput): Promise<RowCounts> {
  const { accountId } = account
  const ownerId = await lockAccount(trx, accountId)
  const lines = numberLines(act.lines)
  const contentHash = createHash('sha256')
    .update(JSON.stringify({ ...act, lines }))
    .digest('hex')
  const stored = await findAct(trx, accountId, act)
  if (stored?.content_hash === contentHash) return { imported: 0, updated: 0, unchanged: lines.length }
  const actId = stored?.id ?? (await insertAct(trx, account, act))
  const written: (ChangedLine & { is_new: boolean })[] = []
  for (let at = 0; at < lines.length; at += batchSize)
    written.push(...(await upsertLines(trx, { actId, ownerId }, lines.slice(at, at + batchSize))))
  const removed = await removeLines(trx, actId, lines)
  await updateAct(trx, actId, { act, contentHash })
  const changed = [...written, ...removed]
  // The first act of a parcel settles it, so another day may change which line that is.
  const hasOtherDay = stored !== undefined && stored.act_date !== act.act_date
  const parcels = hasOtherDay ? await readActParcels(trx, actId) : []
  await compareParcels(trx, actId, [...parcels, ...getParcels(changed)])
  // A payment concerns every line, changed or not.
  await postActEntries(trx, actId)
  if (stored === undefined) await queueActNotices(trx, actId)
  const imported = written.filter(({ is_new }) => is_new).length
  return {
    imported,
    updated: changed.length - imported,
    unchanged: lines.length - written.length,
  }
}

/** Matches the lines of a stored act again and compares them, after parcels or tariffs changed. */
export async function recheckAct(
  db: Db,
  { id, courier_account_id }: { id: number; courier_account_id: number },
): Promise<void> {
  await inTransaction(
    db,
    async (trx) => {
      const ownerId = await lockAccount(trx, courier_account_id)
      const rematched = await rematchLines(trx, id, ownerId)
      const parcels = rematched.flatMap(({ old_parcel_id }) => old_parcel_id ?? [])
      await compareParcels(trx, id, [...parcels, ...getParcels(rematched)])
      if (rematched.length > 0) await postActEntries(trx, id)
      await markChecked(trx, id)
    },
    { attempts: maxAttempts },
  )
}

/** `parcels` are those whose lines may differ now, in this act and in others. */
async function compareParcels(trx: Db, actId: number, parcels: readonly number[]): Promise<void> {
  await settleParcels(trx, parcels)
  await closeMissing(trx, parcels)
  await checkLines(trx, actId, parcels)
}

const getParcels = (lines: readonly ChangedLine[]) => lines.flatMap(({ parcel_id }) => parcel_id ?? [])

/** Numbers the lines of each order. The order of the lines in the act has no influence. */
function numberLines(lines: readonly ActLineInput[]): NumberedLine[] {
  const occurrences = new Map<string, number>()
  return lines
    .map((line) => ({ line, key: JSON.stringify([line.orderno, line.code, line]) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ line }) => {
      const occurrence = (occurrences.get(line.orderno) ?? 0) + 1
      occurrences.set(line.orderno, occurrence)
      return { ...line, occurrence }
    })
}
