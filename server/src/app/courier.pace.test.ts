import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { createCourierFixture, type CourierFixture } from '../../test/courier.ts'
import { createCourierSync } from '../domains/courier-accounts/courier-accounts.sync.ts'
import { createSyncJobs } from '../domains/syncs/syncs.engine.ts'

/** In milliseconds. The vendor's own limits would take minutes. */
const pace = 100
let fixture: CourierFixture

beforeAll(async () => {
  fixture = await createCourierFixture()
})

afterAll(() => fixture.close())

/** The jobs of one process. Their memory ends with it. */
function processOf(): (signal: AbortSignal) => Promise<boolean> {
  const { deps } = fixture.product
  const kind = createCourierSync(deps, pace)
  const [job] = createSyncJobs(deps, [kind])
  return async (signal) => (await job?.run(signal))?.hasMore === true
}

test('requests to a courier are spaced across accounts, processes and runs', async () => {
  const { product, admin, fakeCourier } = fixture
  const accounts: number[] = []
  for (const name of ['A', 'B', 'C']) accounts.push(await fixture.createAccount({ name }))
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
  expect(fakeCourier.requests.map(({ name }) => name).toSorted()).toEqual([
    ...Array.from({ length: 6 }, () => 'services'),
    ...Array.from({ length: 6 }, () => 'smalist'),
    ...Array.from({ length: 6 }, () => 'statusreq'),
  ])
  for (const [n, { at }] of fakeCourier.requests.entries())
    expect(at - startTime).toBeGreaterThanOrEqual(n * pace - 2)
})
