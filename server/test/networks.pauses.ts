import type { SyncHealth } from '@karvon/contract/lib/sync-health.ts'
import { expect } from 'vitest'
import { callApi } from './app.ts'
import { day, hour, runStart } from './moment.ts'
import {
  listOrders,
  createRandom,
  createEmptyStore,
  openNetworks,
  buildFastMapping,
  customDescription,
  type TestNetworkAccount,
} from './networks.ts'

export const dialects = ['100k', 'sotuvchi', 'odd'] as const
export type Dialect = (typeof dialects)[number]

type Networks = Awaited<ReturnType<typeof openNetworks<typeof dialects>>>
export type PausedNetwork = Networks['fakes'][number]

/** Adds final orders at random times in the `pause` milliseconds before now. */
export function addOrders(network: PausedNetwork, count: number, pause: number): void {
  const random = createRandom(count + pause)
  const times = Array.from({ length: count }, () => runStart - pause + Math.floor(random() * (pause - hour)))
  for (const at of times.toSorted((a, b) => a - b)) network.store.addOrders(1, at)
  network.store.settleOrders(runStart - 1000)
}

/** Lists the pages of orders in the network's requests from the index `since`. */
export const listOrderPages = (network: PausedNetwork, since: number): number[] =>
  network.requests
    .slice(since)
    .flatMap(({ path, page }) => (/orders$|deals$/i.test(path) ? [Number(page)] : []))

/** Lists the network's orders in the format of `listLeads`. */
export const listExpectedLeads = (dialect: Dialect, network: PausedNetwork) =>
  listOrders(network, dialect === 'odd' ? (id, word) => `D-${id} ${word.toUpperCase()}` : undefined)

/** Opens networks whose accounts can pause for days. */
export async function openPausedNetworks() {
  const fixture = await openNetworks(dialects)
  await fixture.create('/api/admin/connectors/', {
    code: 'odd',
    name: 'Odd one',
    description: customDescription,
  })
  const query = (text: string, values: unknown[]) => fixture.product.deps.pool.query(text, values)
  let accounts = 0

  const getNetwork = (dialect: Dialect): PausedNetwork => {
    const network = fixture.fakes[dialects.indexOf(dialect)]
    if (network === undefined) throw new Error(`No network is called ${dialect}`)
    return network
  }

  /** Sets the account's last scans to `pause` milliseconds ago. */
  const setLastScans = ({ credential }: TestNetworkAccount, pause: number) =>
    query(
      `update sync_states set memory = memory || jsonb_build_object('last_full_scan_at', $2::text,
        'last_complete_scan', (memory -> 'last_complete_scan') || jsonb_build_object('started_at', $2::text))
      where source_credential_id = $1`,
      [credential, new Date(runStart - pause).toISOString()],
    )

  return {
    ...fixture,
    query,
    agePauses: setLastScans,
    /** Makes no full scan due, so that only the recent scan finds orders. */
    skipFullScan: ({ credential }: TestNetworkAccount) =>
      query(
        `update sync_states set memory = memory || jsonb_build_object('last_full_scan_at', now())
        where source_credential_id = $1`,
        [credential],
      ),
    /** Opens an account whose network has `count` final orders of 300 days. All are known when the pause begins. */
    async openAccount(dialect: Dialect, pause: number, count = 120, mapping = {}) {
      const network = getNetwork(dialect)
      network.store = createEmptyStore(count)
      for (let i = count; i > 0; i--)
        network.store.addOrders(1, runStart - pause - 2 * day - (i * 300 * day) / count)
      network.store.settleOrders(runStart - pause - 2 * day)
      const name = `${dialect} ${++accounts}`
      const account = await fixture.createAccount(name, dialect, { ...buildFastMapping(network), ...mapping })
      await fixture.runSync(account)
      await fixture.runSync(account)
      expect(await fixture.listLeads(account)).toEqual(listExpectedLeads(dialect, network))
      await setLastScans(account, pause)
      return { network, account }
    },
    /** The number of requests of the account to its network today. */
    async requestsToday({ credential }: TestNetworkAccount): Promise<number> {
      const text = 'select requests from sync_states where source_credential_id = $1'
      const { rows } = await query(text, [credential])
      return Number((rows[0] as { requests: number } | undefined)?.requests)
    },
    async readHealth({ credential }: TestNetworkAccount): Promise<SyncHealth | undefined> {
      const url = `/api/admin/source-credentials/${credential}/`
      const answer = await callApi(fixture.product.app, fixture.admin, 'GET', url)
      const { items } = answer.json<{ items: { health: SyncHealth }[] }>()
      return items[0]?.health
    },
  }
}
