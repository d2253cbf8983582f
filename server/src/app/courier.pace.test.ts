import { startMeasoft, type FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from '../../test/app.ts'
import { createCourierSync } from '../domains/courier-accounts/courier-accounts.sync.ts'
import { syncJobs } from '../domains/syncs/syncs.engine.ts'

const login = { extra: '8', login: 'karvon', pass: 'secret' }
/** Milliseconds; the vendor's own limits would take minutes to meet. */
const pace = 100
let product: Product
let admin: Signed
let stand: FakeMeasoft

beforeAll(async () => {
  stand = await startMeasoft(login)
  product = await createTestApp({ KARVON_OUTBOUND_ALLOW: new URL(stand.url).host })
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
})

afterAll(async () => {
  await product.close()
  await stand.close()
})

/** A process' own jobs: what it remembers ends with it. */
function processOf(): (signal: AbortSignal) => Promise<boolean> {
  const kind = createCourierSync(product.deps, pace)
  const [job] = syncJobs(product.deps, [kind])
  return async (signal) => (await job?.run(signal))?.more === true
}

test('requests leave one after another, whichever account, process or run they are of', async () => {
  const { id: user_id } = (await ask(product.app, admin, 'GET', '/parcel/auth/me')).json<{ id: number }>()
  const accounts: number[] = []
  for (const name of ['A', 'B', 'C']) {
    const body = { name, url: stand.url, ...login, user_id }
    const answer = await ask(product.app, admin, 'POST', '/api/admin/courier-accounts/', body)
    accounts.push(answer.json<{ id: number }>().id)
  }
  const quiet = new AbortController().signal
  const started = Date.now()
  for (let round = 0; round < 2; round++) {
    // As if restarted: two processes that know nothing of the round before.
    const processes = [processOf(), processOf()]
    for (const id of accounts) await ask(product.app, admin, 'POST', `/api/admin/courier-accounts/${id}/run/`)
    const due = async () => {
      const { rows } = await product.deps.pool.query('select 1 from sync_states where next_run_at <= now()')
      return rows.length > 0
    }
    while (await due()) await Promise.all(processes.map((look) => look(quiet)))
  }
  // services and statusreq for each account and round; lateness only ever adds to these times.
  expect(stand.requests.map(({ name }) => name).toSorted()).toEqual([
    ...Array.from({ length: 6 }, () => 'services'),
    ...Array.from({ length: 6 }, () => 'statusreq'),
  ])
  for (const [n, { at }] of stand.requests.entries())
    expect(at - started).toBeGreaterThanOrEqual(n * pace - 2)
})
