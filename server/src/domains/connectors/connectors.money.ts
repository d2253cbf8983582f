import { postLedgerEntries } from '../ledger/ledger.post.queries.ts'
import { defaultMaxPages, type NetworkSyncContext } from './connectors.context.ts'
import {
  deleteTransactions,
  lockFormerRows,
  matchTransactions,
  storeTransactions,
  type StoredTransaction,
} from './connectors.money.queries.ts'
import { readPages } from './connectors.paging.ts'
import { countParsedRows } from './connectors.parse.ts'
import { keyTransactions, parseTransactions, parseWithdrawals } from './connectors.parse.money.ts'
import { createFullScanLimit, isFullScanDue } from './connectors.scans.ts'

export const moneyLists = ['transactions', 'withdrawals'] as const
export type MoneyList = (typeof moneyLists)[number]

/** The scans of a list of the account's money. It is stored in the memory of a sync. Times are ISO texts. */
export interface MoneyScan {
  /** A full scan that the next run continues: its start, null before the first page, and the cursor of the next page. */
  full_scan?: { started_at: string | null; at?: string }
  /** The start of the last complete full scan with the present description. */
  last_full_scan_at?: string
  /** The description changed, and no full scan with the present one is complete. */
  has_new_description?: boolean
  /** A scan of the new rows runs. If it is still set at the next run, rows may be missing behind known pages. */
  is_reading?: boolean
}

/**
 * Reads the transactions or the withdrawals of the account. Each run reads from the newest row on until all rows of a
 * page are known. Once a night, at first, and after an interrupted scan, the runs read all rows, in several pieces.
 */
export async function scanMoney(context: NetworkSyncContext, list: MoneyList): Promise<void> {
  if (context.description[list] === undefined) return
  const scan = getScan(context, list)
  if (scan.is_reading === true) {
    scan.full_scan = { started_at: null }
    delete scan.is_reading
    await saveScans(context)
  } else if (scan.last_full_scan_at !== undefined) await readNewRows(context, list)
  if (scan.full_scan !== undefined || (await isFullScanDue(context, scan.last_full_scan_at)))
    await readAllRows(context, list)
  if (list === 'transactions') await matchTransactions(context.deps.db, context.credential.id)
}

function getScan({ memory }: NetworkSyncContext, list: MoneyList): MoneyScan {
  memory.money ??= {}
  return (memory.money[list] ??= {})
}

const saveScans = ({ run, memory }: NetworkSyncContext) => run.saveMemory({ ...memory })

async function readNewRows(context: NetworkSyncContext, list: MoneyList): Promise<void> {
  const scan = getScan(context, list)
  scan.is_reading = true
  await saveScans(context)
  const end = await readPages({
    ...buildPagingOptions(context, list),
    cursor: undefined,
    storePage: async (items) => (await storePage(context, list, items)) > 0,
    saveCursor: async () => {},
  })
  if (end === 'limit' || end === 'paused') return
  delete scan.is_reading
  await saveScans(context)
}

async function readAllRows(context: NetworkSyncContext, list: MoneyList): Promise<void> {
  const scan = getScan(context, list)
  const fullScan = (scan.full_scan ??= { started_at: null })
  const mayContinue = createFullScanLimit(context.run)
  const end = await readPages({
    ...buildPagingOptions(context, list),
    cursor: fullScan.at,
    async storePage(items) {
      fullScan.started_at ??= context.requestedAt().toISOString()
      await storePage(context, list, items)
      return mayContinue()
    },
    async saveCursor(cursor) {
      if (cursor === undefined) delete fullScan.at
      else fullScan.at = cursor
      await saveScans(context)
    },
  })
  if (end !== 'end') return
  if (fullScan.started_at !== null) {
    if (scan.has_new_description === true) await removeFormerRows(context, list, fullScan.started_at)
    scan.last_full_scan_at = fullScan.started_at
    delete scan.has_new_description
  }
  delete scan.full_scan
  await saveScans(context)
}

/** Rows that one transaction removes. */
const removedBatch = 1000
const kinds = { transactions: 'transaction', withdrawals: 'withdrawal' } as const

/**
 * A row without an id has another key if another description reads another amount or time. After the first full scan with a
 * description, the rows of the former one that the network lists no more are removed, so that their money counts once.
 */
async function removeFormerRows(
  { credential, run }: NetworkSyncContext,
  list: MoneyList,
  startedAt: string,
): Promise<void> {
  const account = { credentialId: credential.id, sourceId: credential.source_id, kind: kinds[list] }
  const removeNext = () =>
    run.store(async (trx) => {
      const causeIds = await lockFormerRows(trx, { ...account, startedAt, limit: removedBatch })
      await postLedgerEntries(trx, { causeType: 'network_transaction', causeIds, targets: [] })
      await deleteTransactions(trx, causeIds)
      return causeIds.length
    })
  while ((await removeNext()) === removedBatch) continue
}

const buildPagingOptions = ({ network, description, run }: NetworkSyncContext, list: MoneyList) => ({
  network,
  list,
  maxPages: description.limits?.max_pages ?? defaultMaxPages,
  shouldPause: () => run.shouldPause(),
  beforePage: (page: number) => run.setPart(list, page),
})

/**
 * Stores a page, and posts the withdrawals that became paid or unpaid, in one transaction. Answers the number of new and
 * changed rows.
 */
async function storePage(context: NetworkSyncContext, list: MoneyList, items: unknown[]): Promise<number> {
  const { deps, credential, description, run } = context
  const { rows } = await countParsedRows(run, parsePage(context, list, items), `${list}_read`)
  const changedCount = await run.store(async (trx) => {
    const changedRows = await storeTransactions(trx, {
      credentialId: credential.id,
      sourceId: credential.source_id,
      kind: kinds[list],
      currency: description.money?.currency ?? deps.config.currency,
      rows: keyTransactions(rows),
      marksKnownRows: getScan(context, list).has_new_description === true,
    })
    if (list === 'withdrawals' && changedRows.length > 0)
      await postLedgerEntries(trx, {
        causeType: 'network_transaction',
        causeIds: changedRows.map(({ id }) => id),
        targets: changedRows.flatMap(getTargets),
      })
    return changedRows.length
  })
  await run.addCounts({ [list]: changedCount })
  return changedCount
}

function parsePage({ description }: NetworkSyncContext, list: MoneyList, items: unknown[]) {
  const { transactions, withdrawals } = description
  if (list === 'transactions' && transactions !== undefined)
    return parseTransactions(description, transactions, items)
  return withdrawals === undefined
    ? { rows: [], problems: [] }
    : parseWithdrawals(description, withdrawals, items)
}

/** A paid withdrawal turns what the network owes into cash. */
function getTargets({ id, source_id, amount, currency, is_paid }: StoredTransaction) {
  if (!is_paid || Number(amount) === 0) return []
  return [
    { causeId: id, accountKind: 'network' as const, refId: source_id, currency, amount: `-${amount}` },
    { causeId: id, accountKind: 'paid' as const, refId: 0, currency, amount },
  ]
}
