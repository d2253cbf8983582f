import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  countUnexplained,
  createSettlementFixture,
  plantFaults,
  readOpenDifferences,
  readVersions,
  type SettlementFixture,
} from '../../test/settlements.ts'
import { startWorker } from '../../test/worker.ts'

const kills = 5
let fixture: SettlementFixture
let worker: NodeProcess | undefined

beforeAll(async () => {
  fixture = await createSettlementFixture()
})
afterAll(async () => {
  await worker?.kill()
  await fixture.close()
})

const countDetails = () => fixture.courier.requests.filter(({ name }) => name === 'smadetail').length

/** Ends the lease of a killed worker. */
const makeDue = () =>
  fixture.query('update sync_states set next_run_at = now(), paused_until = null, leased_until = null')

test(
  'a hundred thousand lines with twelve kinds of faults are explained after kills, and another fetch changes no row',
  { timeout: 1_200_000 },
  async () => {
    const expected = await plantFaults(fixture, { count: 100_000, linesPerAct: 1000 })
    for (let kill = 1; kill <= kills; kill += 1) {
      await makeDue()
      worker = startWorker('courier-worker', fixture.product)
      await worker.waitFor(/ready/)
      const before = countDetails()
      worker.write('go\n')
      await expect.poll(countDetails, { timeout: 60_000, interval: 5 }).toBeGreaterThan(before + kill)
      await worker.kill()
    }
    await makeDue()
    expect(await fixture.fetchActs()).toMatchObject({ status: 'done' })
    await fixture.runJob()
    expect(await readOpenDifferences(fixture)).toEqual(expected)
    expect(await countUnexplained(fixture)).toBe(0)
    const before = await readVersions(fixture)
    await fixture.fetchActs()
    await fixture.runJob()
    expect(await readVersions(fixture)).toBe(before)
  },
)
