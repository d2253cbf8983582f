import { sql } from 'kysely'
import type { Db } from '../platform/database/pool.ts'
import { readDatabaseTime } from '../platform/database/clock.ts'
import { SeededRandom } from './demo.random.ts'
import { readLocalClock } from './demo.clock.ts'
import { createReferences, type SignIn } from './demo.references.ts'
import { createLeads } from './demo.leads.ts'
import { createNetworkAccounts } from './demo.networks.ts'
import type { DemoParts } from './demo.parts.ts'
import { createPayouts, createPayoutTerms } from './demo.payouts.ts'
import { postAtTimeOfCause } from './demo.posting-times.ts'
import { createParcels } from './demo.parcels.ts'
import { createViews } from './demo.views.ts'
import { lockKeys } from '../platform/database/lock-keys.ts'

/**
 * Fills an unused database with demo data up to the time `at` (by default now), and answers the sign-ins. It uses one
 * transaction: an interrupted start leaves nothing, and the next start tries again. In a database with any data it does
 * nothing and answers no sign-ins.
 */
export async function fillDemo(
  db: Db,
  { parts, timeZone, at }: { parts: DemoParts; timeZone: string; at?: Date | undefined },
): Promise<SignIn[]> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${lockKeys.demo})`.execute(trx)
    if (!(await isUntouched(trx))) return []
    const random = new SeededRandom(20_261_121)
    const clock = readLocalClock(timeZone, at ?? new Date(await readDatabaseTime(trx)))
    const references = await createReferences(trx, parts, random)
    await createViews(trx, parts)
    const { networks } = parts
    await postAtTimeOfCause(trx, async () => {
      if (networks !== undefined) await createPayoutTerms(trx, clock.today)
      await createLeads(trx, { parts, references, clock, random })
      await createParcels(trx, { parts, references, clock, random })
      if (networks === undefined) return
      await createNetworkAccounts(trx, networks)
      await createPayouts(trx, { money: networks.money, clock })
    })
    return references.signIns
  })
}

/** True for a database that has at most the first admin. */
async function isUntouched(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ is_untouched: boolean }>`
    select (select count(*) from users) <= 1 and not exists (select from cpa_sources)
      and not exists (select from offers) and not exists (select from leads)
      and not exists (select from parcels) and not exists (select from uploads) as is_untouched`.execute(trx)
  return rows[0]?.is_untouched === true
}
