import type { Db } from '../db/pool.ts'
import { fillDemo } from '../demo/demo.fill.ts'
import type { SignIn } from '../demo/demo.desk.ts'
import { takeIn } from '../leads/leads.intake.ts'
import { seedWords } from '../leads/leads.words.ts'
import { stateOf } from '../parcels/parcels.codes.ts'
import { takeInParcels } from '../parcels/parcels.sink.ts'

/** The demo, taken in the way everything else is; see {@link fillDemo}. */
export function fillDemoDesk(db: Db, timeZone: string): Promise<SignIn[]> {
  return fillDemo(
    db,
    {
      seedWords,
      takeLeads: (trx, source, leads) => takeIn(trx, source, leads, { origin: 'connector', reason: 'demo' }),
      takeParcels: (trx, parcels) =>
        takeInParcels(
          trx,
          parcels.map((parcel) => ({ ...parcel, state: known(parcel.state) })),
        ),
    },
    timeZone,
  )
}

function known(code: string) {
  const state = stateOf(code)
  if (state === undefined) throw new Error(`${code} is no status of the courier's`)
  return state
}
