import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { buildFastMapping, openNetworks } from '../../test/networks.ts'

const open = () => openNetworks(['100k'])
let fixture: Awaited<ReturnType<typeof open>>

beforeAll(async () => {
  fixture = await open()
})
afterAll(() => fixture.close())

test('a requested run begins after the wait that the network required with 429', async () => {
  const [network] = fixture.fakes
  const account = await fixture.createAccount('Busy', '100k', buildFastMapping(network))
  network.faults = { rate_limited: 1, retryAfter: 30 }
  expect(await fixture.runSync(account)).toMatchObject({ error: 'The network asks to wait 30 s.' })
  network.faults = {}
  expect(await fixture.runSync(account)).toMatchObject({ status: 'failed' })
  expect(await fixture.runs(account.credential)).toHaveLength(1)
  const url = `/api/admin/source-credentials/${account.credential}/`
  expect((await callApi(fixture.product.app, fixture.admin, 'GET', url)).json()).toMatchObject({
    items: [{ health: { pause_reason: 'The network asks to wait 30 s.', paused_until: expect.any(String) } }],
  })

  await fixture.product.deps.pool.query('update sync_states set paused_until = now()')
  await fixture.runSyncs()
  expect(await fixture.runs(account.credential)).toMatchObject([{ status: 'done' }, { status: 'failed' }])
})
