import { sql } from 'kysely'
import type { Db } from '../platform/database/pool.ts'
import { databaseTime } from '../platform/database/clock.ts'
import { Chance } from './demo.chance.ts'
import { localClock } from './demo.clock.ts'
import { makeDesk, type SignIn } from './demo.desk.ts'
import { makeLeads } from './demo.leads.ts'
import { makeNetworks } from './demo.networks.ts'
import type { DemoParts } from './demo.parts.ts'
import { makeParcels } from './demo.parcels.ts'

// Any fixed number that nothing else on the database locks.
const lock = 7_315_012

/**
 * Fills a database on which nobody has worked yet with a lively desk, dated around `at` (the present), and answers how to
 * sign in there. It is one transaction: a start that is cut off leaves nothing of it, and the next one tries
 * again. Where there is any work already it does nothing and answers no sign-ins.
 */
export async function fillDemo(db: Db, parts: DemoParts, timeZone: string, at?: Date): Promise<SignIn[]> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(trx)
    if (!(await untouched(trx))) return []
    const chance = new Chance(20_261_121)
    const clock = localClock(timeZone, at ?? new Date(await databaseTime(trx)))
    const desk = await makeDesk(trx, parts, chance)
    await makeLeads(trx, parts, desk, clock, chance)
    await makeParcels(trx, parts, desk, clock, chance)
    if (parts.networks !== undefined) await makeNetworks(trx, parts.networks)
    return desk.signIns
  })
}

/** The first admin is there by now; anything else is somebody's work. */
async function untouched(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ untouched: boolean }>`
    select (select count(*) from users) <= 1 and not exists (select from cpa_sources)
      and not exists (select from offers) and not exists (select from leads)
      and not exists (select from parcels) and not exists (select from uploads) as untouched`.execute(trx)
  return rows[0]?.untouched === true
}
