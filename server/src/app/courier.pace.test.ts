import { startMeasoft, type FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { createCourierSync } from '../domains/courier-accounts/courier-accounts.sync.ts'
import { createSyncJobs } from '../domains/syncs/syncs.engine.ts'

const login = { extra: '8', login: 'karvon', pass: 'secret' }
/** In milliseconds. The vendor's own limits would take minutes. */
const pace = 100
let product: Product
let admin: Session
let courier: FakeMeasoft

beforeAll(async () => {
  courier = await startMeasoft(login)
  product = await createTestApp({ KARVON_OUTBOUND_ALLOW: new URL(courier.url).host })
  admin = await signInAdmin(product.app)
})

afterAll(async () => {
  await product.close()
  await courier.close()
})

/** The jobs of one process. Their memory ends with it. */
function processOf(): (signal: AbortSignal) => Promise<boolean> {
  const kind = createCourierSync(product.deps, pace)
  const [job] = createSyncJobs(product.deps, [kind])
  return async (signal) => (await job?.run(signal))?.hasMore === true
}

test('requests to a courier are spaced across accounts, processes and runs', async () => {
  const { id: user_id } = (await callApi(product.app, admin, 'GET', '/parcel/auth/me')).json<{ id: number }>()
  const accounts: number[] = []
  for (const name of ['A', 'B', 'C']) {
    const body = { name, url: courier.url, ...login, user_id }
    const answer = await callApi(product.app, admin, 'POST', '/api/admin/courier-accounts/', body)
    accounts.push(answer.json<{ id: number }>().id)
  }
  const quiet = new AbortController().signal
  const startTime = Date.now()
  for (let round = 0; round < 2; round++) {
    // Two new processes, as after a restart.
    const processes = [processOf(), processOf()]
    for (const id of accounts)
      await callApi(product.app, admin, 'POST', `/api/admin/courier-accounts/${id}/run/`)
    const due = async () => {
      const { rows } = await product.deps.pool.query('select 1 from sync_states where next_run_at <= now()')
      return rows.length > 0
    }
    while (await due()) await Promise.all(processes.map((runJob) => runJob(quiet)))
  }
  // services, statusreq and the acts for each account and round. A delay only increases these times.
  expect(courier.requests.map(({ name }) => name).toSorted()).toEqual([
    ...Array.from({ length: 6 }, () => 'services'),
    ...Array.from({ length: 6 }, () => 'smalist'),
    ...Array.from({ length: 6 }, () => 'statusreq'),
  ])
  for (const [n, { at }] of courier.requests.entries())
    expect(at - startTime).toBeGreaterThanOrEqual(n * pace - 2)
})
