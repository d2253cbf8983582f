import { CourierError, CourierRefusal } from '../../integrations/measoft/measoft.error.ts'
import type { Measoft } from '../../integrations/measoft/measoft.ts'
import type { CourierAct } from '../../integrations/measoft/measoft.acts.ts'
import type { Db } from '../../platform/database/pool.ts'
import { findPaidActs, readActPeriod } from '../settlements/settlements.fetch.queries.ts'
import { storeActs } from '../settlements/settlements.store.ts'
import { SyncError, type SyncRunContext } from '../syncs/syncs.kind.ts'
import { parseActHeader, parseActLines, type ActHeader } from './courier-accounts.acts.parse.ts'

/** Milliseconds between two readings of the acts of an account. */
const interval = 3_600_000
const memoryKey = 'acts_read_at'

interface ActSync {
  accountId: number
  /** Of the amounts. */
  currency: string
  courier: Measoft
  run: SyncRunContext
}

/** True if the acts were read more than an hour before `now`. */
export function areActsDue(memory: SyncRunContext['memory'], now: Date): boolean {
  const readAt = memory[memoryKey]
  return typeof readAt !== 'string' || Math.abs(now.getTime() - Date.parse(readAt)) >= interval
}

/**
 * Reads the courier's acts and stores those that are new or changed. An act may change until it is paid, so each unpaid one
 * is read again. A courier without acts is no failure. Throws {@link SyncError} for acts that cannot be parsed, after it has
 * stored the others.
 */
export async function fetchActs(db: Db, sync: ActSync, now: Date): Promise<void> {
  const { run } = sync
  await run.setPhase('acts')
  try {
    const unreadable = await storeChangedActs(db, sync)
    await run.saveMemory({ ...run.memory, [memoryKey]: now.toISOString() })
    if (unreadable.length > 0)
      throw new SyncError('failed', `These acts cannot be read: ${unreadable.slice(0, 20).join(', ')}.`)
  } catch (error) {
    throw error instanceof CourierError ? new SyncError('failed', error.message) : error
  }
}

/** Answers the numbers of the acts that cannot be parsed. */
async function storeChangedActs(db: Db, sync: ActSync): Promise<string[]> {
  const { accountId } = sync
  const listed = await listActs(db, sync)
  const paid = await findPaidActs(db, accountId)
  const unreadable: string[] = []
  for (const act of listed) {
    const header = parseActHeader(act)
    if (header !== null && header.paid_at !== null && paid.get(header.code) === header.header_hash) continue
    const isStored = header !== null && (await storeAct(db, sync, header))
    if (!isStored) unreadable.push(act.number ?? act.code ?? '?')
  }
  return unreadable
}

async function listActs(db: Db, { accountId, courier, run }: ActSync): Promise<CourierAct[]> {
  const { from, to } = await readActPeriod(db, accountId)
  try {
    return await courier.fetchActs(from, to)
  } catch (error) {
    if (!(error instanceof CourierRefusal)) throw error
    run.log.info({ reason: error.message }, 'The courier does not send settlement acts')
    return []
  }
}

/** False if the lines cannot be parsed. */
async function storeAct(
  db: Db,
  { accountId, currency, courier, run }: ActSync,
  header: ActHeader,
): Promise<boolean> {
  const lines = parseActLines(await courier.fetchActLines(header.code))
  if (lines === null) return false
  const { imported, updated } = await storeActs(db, { accountId, currency }, [{ ...header, lines }])
  if (imported + updated > 0) await run.addCounts({ act_lines: imported + updated })
  return true
}
