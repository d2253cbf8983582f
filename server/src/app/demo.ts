import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../platform/database/pool.ts'
import { fillDemo } from '../demo/demo.fill.ts'
import type { SignIn } from '../demo/demo.desk.ts'
import { demoPaceJob, pointNetworks, type DemoNetworks } from '../demo/demo.networks.ts'
import type { Deps } from '../platform/deps.ts'
import type { Job } from '../platform/jobs/jobs.ts'
import { takeIn } from '../domains/leads/leads.intake.ts'
import { seedWords } from '../domains/leads/leads.words.ts'
import { stateOf } from '../domains/parcels/parcels.codes.ts'
import { takeInParcels } from '../domains/parcels/parcels.sink.ts'

/**
 * Fills the demo where there is nothing yet, and lets it move by itself where the launcher started networks for it:
 * `jobs` are to be started for that. A file beside the database tells the launcher to start them the next time too.
 */
export async function openDemo({ db, config, seal }: Deps): Promise<{ signIns: SignIn[]; jobs: Job[] }> {
  const { demoNetworks: at, timeZone, dataFolder } = config
  if (!config.demo) return { signIns: [], jobs: [] }
  const signIns = await fillDemoDesk(db, timeZone, at === undefined ? undefined : { at, seal })
  if (at === undefined) return { signIns, jobs: [] }
  const moves = await pointNetworks(db, at)
  const mark = join(dataFolder, 'demo-networks')
  if (moves)
    await writeFile(mark, 'npm start brings networks to practise on, since the demo has accounts there.\n')
  else await rm(mark, { force: true })
  return { signIns, jobs: moves ? [demoPaceJob({ db })] : [] }
}

/** The demo, taken in the way everything else is; see {@link fillDemo}. */
export function fillDemoDesk(db: Db, timeZone: string, networks?: DemoNetworks): Promise<SignIn[]> {
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
      networks,
    },
    timeZone,
  )
}

function known(code: string) {
  const state = stateOf(code)
  if (state === undefined) throw new Error(`${code} is no status of the courier's`)
  return state
}
