import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { closeMissing, openMissing } from './settlements.compare.queries.ts'
import { findActsToCompare, findSettledParcels } from './settlements.job.queries.ts'
import { lockParcels, settleParcels } from './settlements.store.queries.ts'
import { recheckAct } from './settlements.store.ts'
import { finishVoid } from './settlements.void.ts'

/**
 * The job that keeps differences up to date with parcels and tariffs, finds parcels that are in no act, and removes the lines of
 * voided acts. `batchSize`: acts that are read at once, and parcels in one transaction.
 */
export const settlementDifferencesJob = ({ db }: Pick<Deps, 'db'>, { batchSize = 1000 } = {}): Job => ({
  name: 'settlement-differences',
  interval: 600_000,
  timeout: 600_000,
  isExclusive: true,
  run: (signal) => updateDifferences(db, batchSize, signal),
})

/** An interrupted run continues with the next one. */
async function updateDifferences(db: Db, batchSize: number, signal: AbortSignal): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const acts = await findActsToCompare(db, { after, limit: batchSize })
    for (const act of acts) {
      if (signal.aborted) return
      await (act.is_voided ? finishVoid(db, act, { signal }) : recheckAct(db, act))
    }
    after = acts.length < batchSize ? undefined : acts.at(-1)?.id
  }
  while (!signal.aborted && (await openMissing(db, batchSize)) === batchSize) continue
  await closeMissing(db, null)
}

/** Moves `settled_at` of all parcels to the begin of the same day in the time zone of the session. Safe to repeat. */
export async function resettleParcels(db: Db, signal: AbortSignal, batchSize = 1000): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined;) {
    signal.throwIfAborted()
    const parcels = await findSettledParcels(db, { after, limit: batchSize })
    await inTransaction(db, async (trx) => {
      await lockParcels(trx, parcels)
      await settleParcels(trx, parcels)
    })
    after = parcels.length < batchSize ? undefined : parcels.at(-1)
  }
}
