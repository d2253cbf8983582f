import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../platform/database/pool.ts'
import { fillDemo } from '../demo/demo.fill.ts'
import type { SignIn } from '../demo/demo.references.ts'
import { demoSyncsJob, updateNetworkAddresses, type DemoNetworks } from '../demo/demo.networks.ts'
import type { DemoMoney } from '../demo/demo.parts.ts'
import type { Deps } from '../platform/deps.ts'
import type { Job } from '../platform/jobs/jobs.ts'
import { ingestLeads } from '../domains/leads/leads.ingest.ts'
import { seedDefaultMappings } from '../domains/leads/leads.default-mappings.ts'
import { adjustAccount } from '../domains/ledger/ledger.adjustments.ts'
import { findParcelState } from '../domains/parcels/parcels.codes.ts'
import { storeParcels } from '../domains/parcels/parcels.store.ts'
import { decideWithdrawal } from '../domains/payouts/payouts.decide.ts'
import { createRegistry } from '../domains/payouts/payouts.registries.ts'
import { createWithdrawal } from '../domains/payouts/payouts.request.ts'
import { insertStatement } from '../domains/payouts/payouts.statements.queries.ts'
import { setSchedule } from '../domains/saved-views/saved-views.schedule.queries.ts'
import { storeAct } from '../domains/settlements/settlements.store.ts'

/**
 * Fills an unused database with the demo. If the launcher started the demo's networks, `jobs` sync their accounts. A
 * file in the data folder tells the launcher to start the networks next time too.
 */
export async function openDemo(deps: Deps): Promise<{ signIns: SignIn[]; jobs: Job[] }> {
  const { db, config, encryption } = deps
  const { demoNetworks: at, timeZone, dataFolder } = config
  if (!config.demo) return { signIns: [], jobs: [] }
  const networks = at === undefined ? undefined : { host: at, encryption, money: createDemoMoney(deps) }
  const signIns = await fillDatabaseWithDemo(db, timeZone, networks)
  if (at === undefined) return { signIns, jobs: [] }
  const hasAccounts = await updateNetworkAddresses(db, at)
  const markerPath = join(dataFolder, 'demo-networks')
  if (hasAccounts)
    await writeFile(markerPath, 'The demo has accounts at fake networks, so npm start also starts these.\n')
  else await rm(markerPath, { force: true })
  return { signIns, jobs: hasAccounts ? [demoSyncsJob({ db })] : [] }
}

/** Fills the demo by the functions that store real data; see {@link fillDemo}. */
export function fillDatabaseWithDemo(db: Db, timeZone: string, networks?: DemoNetworks): Promise<SignIn[]> {
  return fillDemo(db, {
    parts: {
      seedDefaultMappings,
      scheduleView: setSchedule,
      ingestLeads: (trx, source, leads) =>
        ingestLeads(trx, { sourceId: source, leads, origin: 'connector', reason: 'demo' }),
      storeParcels: (trx, parcels) =>
        storeParcels(
          trx,
          parcels.map((parcel) => ({ ...parcel, state: getParcelState(parcel.state) })),
        ),
      networks,
    },
    timeZone,
  })
}

const createDemoMoney = (deps: Deps): DemoMoney => ({
  storeAct,
  requestWithdrawal: (trx, request) => createWithdrawal(trx, deps, request),
  decideWithdrawal,
  createRegistry: (trx, currency, adminId) =>
    createRegistry(trx, deps.encryption, { selection: { currency }, userId: adminId }),
  closeStatement: insertStatement,
  async adjust(trx, { userId: ref_id, currency, amount, reason, adminId: userId }) {
    const account = { account_kind: 'person', ref_id, currency } as const
    await adjustAccount(trx, { account, amount, reason, userId })
  },
})

function getParcelState(code: string) {
  const state = findParcelState(code)
  if (state === undefined) throw new Error(`${code} is no status of the courier's`)
  return state
}
