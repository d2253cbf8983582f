import { cutText } from '@karvon/contract/lib/cut-text.ts'
import { maxCode } from '@karvon/contract/lib/limits.ts'
import type { Reason } from '@karvon/contract/lib/problem.ts'
import { maxReasonDetails } from '@karvon/contract/lib/sync-health.ts'
import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { CourierError, CourierRefusal } from '../../integrations/measoft/measoft.error.ts'
import type { Measoft } from '../../integrations/measoft/measoft.ts'
import type { CourierAct } from '../../integrations/measoft/measoft.acts.ts'
import { isUnfitValue } from '../../platform/database/pg-errors.ts'
import type { Db } from '../../platform/database/pool.ts'
import {
  findPaidActHashes,
  updateUnlistedMarks,
  readActPeriod,
} from '../settlements/settlements.fetch.queries.ts'
import { storeAct } from '../settlements/settlements.store.ts'
import { lockAccount } from '../settlements/settlements.store.queries.ts'
import { SyncError, type SyncRunContext } from '../syncs/syncs.kind.ts'
import { parseActCode, parseActHeader, parseActLines, type ActHeader } from './courier-accounts.acts.parse.ts'

/** Milliseconds between two readings of the acts of an account. */
const interval = 3_600_000
const memoryKey = 'acts_read_at'
/** The number of failures after which the run stops. The next run begins again. */
const maxFailuresInRow = 5

interface ActSync {
  accountId: number
  /** Of the amounts. */
  currency: string
  courier: Measoft
  run: SyncRunContext
}

/** True if the acts were read more than an hour before `now`, and in a run that a person requested. */
export function areActsDue({ memory, isRequested }: SyncRunContext, now: Date): boolean {
  const readAt = memory[memoryKey]
  return isRequested || typeof readAt !== 'string' || Math.abs(now.getTime() - Date.parse(readAt)) >= interval
}

/**
 * Reads the courier's acts and stores those that are new or changed. An act may change until it is paid, so
 * each unpaid one is read again. Marks the stored acts that the courier no longer lists. A courier without acts causes no failure.
 * Throws {@link SyncError} for acts that cannot be parsed, after it has stored the others, and {@link CourierError}.
 */
export async function fetchActs(db: Db, sync: ActSync, now: Date): Promise<void> {
  const { run } = sync
  await run.setPart('acts')
  const unreadable = await storeChangedActs(db, sync)
  await run.saveMemory({ ...run.memory, [memoryKey]: now.toISOString() })
  if (unreadable.acts.length > 0)
    throw new SyncError(
      'failed',
      describeSync('courier_acts', { acts: unreadable.acts.slice(0, 20).join(', ') }),
      { details: [...unreadable.reasons.values()].slice(0, maxReasonDetails) },
    )
}

/** The numbers of the acts that cannot be read, and the known reasons by their sentence. */
interface UnreadableActs {
  readonly acts: string[]
  readonly reasons: Map<string, Reason>
}

/** An act that cannot be read does not stop the others. */
async function storeChangedActs(db: Db, sync: ActSync): Promise<UnreadableActs> {
  const { accountId } = sync
  const acts = await listActs(db, sync)
  const paidActs = await findPaidActHashes(db, accountId)
  const unreadable: UnreadableActs = { acts: [], reasons: new Map() }
  let failuresInRow = 0
  for (const act of acts) {
    const header = parseActHeader(act)
    if (header !== null && header.paid_at !== null && paidActs.get(header.code) === header.header_hash)
      continue
    const name = cutText(act.number ?? act.code ?? '?', maxCode)
    try {
      const isStored = header !== null && (await fetchAndStoreAct(sync, header))
      if (!isStored) unreadable.acts.push(name)
      failuresInRow = 0
    } catch (error) {
      failuresInRow += 1
      if (!isFaultOfAct(error) || failuresInRow === maxFailuresInRow) throw error
      unreadable.acts.push(name)
      if (error instanceof CourierError) unreadable.reasons.set(error.message, error.reason)
    }
  }
  return unreadable
}

/** False for what concerns every act. Amounts can be too large for their sum. */
const isFaultOfAct = (error: unknown) => error instanceof CourierError || isUnfitValue(error)

/** Lists the acts of the courier, and marks the stored ones that are not in the list. */
async function listActs(db: Db, { accountId, courier, run }: ActSync): Promise<CourierAct[]> {
  const period = await readActPeriod(db, accountId)
  const acts = await courier.fetchActs(period.from, period.to).catch((error: unknown) => {
    if (!(error instanceof CourierRefusal)) throw error
    run.log.info({ reason: error.message }, 'The courier does not send settlement acts')
    return null
  })
  if (acts === null) return []
  const codes = acts.flatMap((act) => parseActCode(act) ?? [])
  // An act without a code could be any of the stored ones.
  if (codes.length === acts.length)
    await run.store(async (trx) => {
      await lockAccount(trx, accountId)
      await updateUnlistedMarks(trx, { accountId, ...period, codes })
    })
  return acts
}

/**
 * False if the lines cannot be parsed, or if the act has money but no lines: then the answer is incomplete.
 */
async function fetchAndStoreAct(
  { accountId, currency, courier, run }: ActSync,
  header: ActHeader,
): Promise<boolean> {
  const lines = await parseActLines(await courier.fetchActLines(header.code))
  if (lines === null) return false
  if (lines.length === 0 && [header.collected, header.fees].some((sum) => Number(sum ?? 0) !== 0))
    return false
  const { imported, updated } = await run.store((trx) =>
    storeAct(trx, { accountId, currency }, { ...header, lines }),
  )
  if (imported + updated > 0) await run.addCounts({ act_lines: imported + updated })
  return true
}
