import { afterAll, beforeAll, expect, test } from 'vitest'
import { openListener, type Listener } from '../../../test/listener.ts'
import { openOutgoing, type Outgoing } from '../../platform/outgoing-http/outgoing.ts'
import { createNetworkSend } from './connectors.send.ts'
import { tryNetwork } from './connectors.try.ts'

let network: Listener
let outgoing: Outgoing
beforeAll(async () => {
  network = await openListener()
  outgoing = openOutgoing([`127.0.0.1:${network.port}`])
})
afterAll(async () => {
  await outgoing.close()
  network.close()
})

const account = { login: 'aziz', pass: 'pass', api_key: '', token: '' }

/** Tests a network that signs in, and answers neither its balance nor its orders. */
function trySlowNetwork(signal: AbortSignal, limits = {}) {
  network.answer = (request, response) => {
    if (request.url === '/login') response.end(JSON.stringify({ token: 'token' }))
  }
  const description = {
    base_url: `http://127.0.0.1:${network.port}`,
    limits,
    sign_in: { url: '/login', body: {}, token: 'token' },
    finance: { url: '/finance', fields: { balance: 'balance' } },
    orders: {
      url: '/orders',
      items: 'data',
      paging: { by: 'none' as const },
      fields: { external_id: 'id', status: 'status', created_at: 'created_at' },
    },
  }
  return tryNetwork(description, { account, send: createNetworkSend(outgoing, description, signal), signal })
}

test('the parts of a network for which the time of the test is over answer that they took too long', async () => {
  const tooSlow = { ok: false, detail: '127.0.0.1 did not answer in time.' }
  expect(await trySlowNetwork(AbortSignal.timeout(300))).toMatchObject({
    sign_in: { ok: true },
    finance: tooSlow,
    orders: tooSlow,
  })
})

test('a request ends after the timeout of the description', async () => {
  const endOfTest = AbortSignal.timeout(25_000)
  const answer = await trySlowNetwork(endOfTest, { timeout_ms: 1000 })
  expect(answer).toMatchObject({ finance: { ok: false, detail: '127.0.0.1 did not answer in time.' } })
  expect(endOfTest.aborted).toBe(false)
})

test('a test ends when its caller leaves', async () => {
  const caller = new AbortController()
  const answer = trySlowNetwork(caller.signal)
  setTimeout(() => caller.abort(new Error('The caller left')), 100)
  await expect(answer).rejects.toThrow('The caller left')
})
