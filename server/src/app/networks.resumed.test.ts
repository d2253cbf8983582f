import { afterEach, beforeEach, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { ago, hour } from '../../test/moment.ts'
import { buildFastMapping, listOrders, openNetworks, type TestNetworkAccount } from '../../test/networks.ts'
import { createNetworkSync } from '../domains/connectors/connectors.sync.ts'
import type { SyncKind, SyncRunContext } from '../domains/syncs/syncs.kind.ts'

const open = () => openNetworks(['100k'])
let fixture: Awaited<ReturnType<typeof open>>
let account: TestNetworkAccount

beforeEach(async () => {
  fixture = await open()
  account = await fixture.createAccount('100k', '100k', buildFastMapping(fixture.fakes[0]))
})
afterEach(() => fixture.close())

/** Runs the account so that it pauses after each page of its offers, as a slow network does while other accounts wait. */
async function runWithPausedOffers(): Promise<void> {
  const kind = createNetworkSync(fixture.product.deps)
  const run: SyncKind['run'] = (id, context) => {
    let part = ''
    const overrides: Pick<SyncRunContext, 'setPart' | 'shouldPause'> = {
      setPart: (name, page) => {
        part = name
        return context.setPart(name, page)
      },
      shouldPause: async () => part === 'offers',
    }
    return kind.run(id, Object.assign(Object.create(context) as SyncRunContext, overrides))
  }
  const url = `/api/admin/source-credentials/${account.credential}/run/`
  expect((await callApi(fixture.product.app, fixture.admin, 'POST', url)).statusCode).toBe(202)
  await fixture.runSyncs(undefined, { run })
}

test('runs that continue a long list of offers read the new orders', async () => {
  const [network] = fixture.fakes
  const offers = Array.from({ length: 200 }, (_, at) => ({
    id: 1000 + at,
    name: `Offer ${at}`,
    price: 1,
    fee: 1,
  }))
  network.store.offers = [...network.store.offers, ...offers]
  // The first scans read all orders.
  for (let runs = 0; runs < 3; runs += 1)
    expect(await fixture.runSync(account)).toMatchObject({ status: 'done' })
  for (let runs = 0; runs < 3; runs += 1) {
    network.store.addOrders(5, Date.parse(ago((3 - runs) * hour)))
    await runWithPausedOffers()
    expect(await fixture.listLeads(account), `run ${runs}`).toEqual(listOrders(network))
  }
})

test('runs whose connector limits the pages continue the lists of offers and streams', async () => {
  const [network] = fixture.fakes
  const offers = Array.from({ length: 70 }, (_, at) => ({
    id: 1000 + at,
    name: `Offer ${at}`,
    price: 1,
    fee: 1,
  }))
  network.store.offers = offers
  const limits = { page_delay_ms: 0, max_pages: 1 }
  account = await fixture.createAccount('limited', '100k', { ...buildFastMapping(network), limits })
  const countRows = async () => {
    const { rows } = await fixture.product.deps.pool.query(
      `select (select count(*) from offers where source_id = $1 and extra_id ~ '^10[0-9][0-9]$')::integer as offers,
        (select count(*) from streams where source_id = $1 and url <> '')::integer as streams`,
      [account.source],
    )
    return rows[0]
  }
  const expectRun = async () => expect(await fixture.runSync(account)).toMatchObject({ status: 'done' })
  await expectRun()
  expect(await countRows()).toEqual({ offers: 25, streams: 0 })
  for (let run = 2; run <= 4; run += 1) await expectRun()
  expect(await countRows()).toEqual({ offers: 70, streams: 3 })
})
