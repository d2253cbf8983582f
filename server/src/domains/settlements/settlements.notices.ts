import { defaultSettlementDays } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { readHour } from '../notices/notices.digest.queries.ts'
import { isNoticeHour } from '../notices/notices.digest.ts'
import { queueNotices } from '../notices/notices.queue.queries.ts'
import { findMissingMoney, readOwnActSums } from './settlements.notices.queries.ts'

/** Days after which an act is history. A first sync reads the acts of a year. */
const maxActDays = 31
const missingKey = 'missing-money:'

/** Queues a notice of a new act for the owners of its parcels, in the transaction that stores the act. */
export async function queueActNotices(trx: Db, actId: number): Promise<void> {
  const sums = await readOwnActSums(trx, actId, maxActDays)
  await queueNotices(
    trx,
    sums.map(({ userId, number, day, parcels, due, currency }) => ({
      userId,
      kind: 'money',
      once: `act:${actId}:${userId}`,
      message: 'act',
      params: { number, day, parcels, amount: due, currency },
    })),
  )
}

/**
 * The job that sends notices about delivered parcels that are in no act after the settlement days of their account: at
 * most one notice a person and day, and only if parcels were added since the last one.
 */
export const missingMoneyNoticesJob = ({ db, config: { currency } }: Pick<Deps, 'db' | 'config'>): Job => ({
  name: 'missing-money-notices',
  interval: 300_000,
  timeout: 240_000,
  isExclusive: true,
  async run() {
    const now = await readHour(db)
    if (now === undefined || !isNoticeHour(now.hour)) return
    const missingMoney = await findMissingMoney(db, missingKey, defaultSettlementDays)
    await queueNotices(
      db,
      missingMoney.map(({ userId, today, days, parcels, amount }) => ({
        userId,
        kind: 'money',
        once: `${missingKey}${userId}:${today}`,
        message: 'missing_money',
        params: { count: days, parcels, amount, currency },
      })),
    )
  },
})
