import type { SyncHealth } from '@karvon/contract/lib/sync-health.ts'
import { expect } from 'vitest'
import { ask } from './app.ts'
import { day, hour, runStart } from './moment.ts'
import { bookOf, chanceFrom, createEmptyStore, openNetworks, quick, type Reading } from './networks.ts'

export const shapes = ['100k', 'sotuvchi', 'odd'] as const
export type Shape = (typeof shapes)[number]

/** A network that the product does not know by itself; `changed_since` is its filter. */
const oddDescription = {
  sign_in: {
    url: '/session',
    form: 'form',
    body: { who: '{login}', word: '{pass}' },
    token: 'result.session.key',
  },
  orders: {
    url: '/deals',
    query: { key: '{token}' },
    items: 'result.deals',
    paging: { by: 'offset', param: 'from', total: 'result.count' },
    fields: {
      external_id: 'ref',
      status: 'state.word',
      payout: 'reward',
      created_at: 'made',
      updated_at: 'touched',
      stream: 'flow.name',
      stream_extra_id: 'flow.id',
    },
  },
  money: { divisor: 100, currency: 'UZS' },
  time: { unit: 'seconds' },
}

type Desks = Awaited<ReturnType<typeof openNetworks<typeof shapes>>>
export type PausedNetwork = Desks['stands'][number]

/** `count` orders at random moments of the `pause` milliseconds before now, all of them final. */
export function makeOrders(network: PausedNetwork, count: number, pause: number): void {
  const chance = chanceFrom(count + pause)
  const moments = Array.from(
    { length: count },
    () => runStart - pause + Math.floor(chance() * (pause - hour)),
  )
  for (const at of moments.toSorted((a, b) => a - b)) network.store.addOrders(1, at)
  network.store.settleOrders(runStart - 1000)
}

/** Pages of orders that a network was asked for since its request `since`. */
export const orderPages = (network: PausedNetwork, since: number): number[] =>
  network.requests
    .slice(since)
    .flatMap(({ path, page }) => (/orders$|deals$/i.test(path) ? [Number(page)] : []))

/** What a network of this shape has, as `leads` gives ours. */
export const expectedLeads = (shape: Shape, network: PausedNetwork) =>
  bookOf(network, shape === 'odd' ? (id, word) => `D-${id} ${word.toUpperCase()}` : undefined)

/** A desk whose accounts can be left alone for days. */
export async function openPausedNetworks() {
  const desks = await openNetworks(shapes)
  await desks.create('/api/admin/connectors/', { code: 'odd', name: 'Odd one', description: oddDescription })
  const query = (text: string, values: unknown[]) => desks.product.deps.pool.query(text, values)
  let accounts = 0

  const networkOf = (shape: Shape): PausedNetwork => {
    const network = desks.stands[shapes.indexOf(shape)]
    if (network === undefined) throw new Error(`No network is called ${shape}`)
    return network
  }

  /** Makes the account's last readings `pause` milliseconds old. */
  const agePauses = ({ credential }: Reading, pause: number) =>
    query(
      `update sync_states set memory = memory || jsonb_build_object('full_begun_at', $2::text,
        'last_whole', (memory -> 'last_whole') || jsonb_build_object('begun_at', $2::text))
      where source_credential_id = $1`,
      [credential, new Date(runStart - pause).toISOString()],
    )

  return {
    ...desks,
    query,
    agePauses,
    /** No full reading is due from now on: what is found is found by the recent one. */
    holdFullReading: ({ credential }: Reading) =>
      query(
        `update sync_states set memory = memory || jsonb_build_object('full_begun_at', now())
        where source_credential_id = $1`,
        [credential],
      ),
    /** An account whose network has `count` final orders of 300 days, all of them known when the pause begins. */
    async openAccount(shape: Shape, pause: number, count = 120, mapping = {}) {
      const network = networkOf(shape)
      network.store = createEmptyStore(count)
      for (let i = count; i > 0; i--)
        network.store.addOrders(1, runStart - pause - 2 * day - (i * 300 * day) / count)
      network.store.settleOrders(runStart - pause - 2 * day)
      const name = `${shape} ${++accounts}`
      const account = await desks.reading(name, shape, { ...quick(network), ...mapping })
      await desks.runNow(account)
      await desks.runNow(account)
      expect(await desks.leads(account)).toEqual(expectedLeads(shape, network))
      await agePauses(account, pause)
      return { network, account }
    },
    /** Requests that the account made to its network today. */
    async requestsToday({ credential }: Reading): Promise<number> {
      const text = 'select requests from sync_states where source_credential_id = $1'
      const { rows } = await query(text, [credential])
      return Number((rows[0] as { requests: number } | undefined)?.requests)
    },
    async healthOf({ credential }: Reading): Promise<SyncHealth | undefined> {
      const url = `/api/admin/source-credentials/${credential}/`
      const answer = await ask(desks.product.app, desks.admin, 'GET', url)
      const { items } = answer.json<{ items: { health: SyncHealth }[] }>()
      return items[0]?.health
    },
  }
}
