import { selectCount } from '@karvon/testkit/extent.ts'
import type { FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import type { CourierParcel } from '@karvon/testkit/fakes/measoft.xml.ts'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Product } from '../../test/app.ts'
import { createCourierFixture, type CourierFixture } from '../../test/courier.ts'
import { createRandom } from '../../test/networks.ts'
import { startWorker } from '../../test/worker.ts'

const kills = selectCount({ short: 4, long: 8 })
/** Fewer than the fake answers at once, so that all are stored before each commit. */
const parcels = 40

let fixture: CourierFixture
let fakeCourier: FakeMeasoft
let product: Product
/** Workers are started in advance, because the start takes long. */
let workers: Promise<NodeProcess>[] = []

beforeAll(async () => {
  fixture = await createCourierFixture()
  ;({ product, fakeCourier } = fixture)
  await fixture.createAccount()
})
afterEach(async () => {
  for (const worker of workers.splice(0)) await (await worker).kill()
})
afterAll(() => fixture.close())

async function start(): Promise<NodeProcess> {
  const worker = startWorker('courier-worker', product)
  await worker.waitFor(/ready/)
  return worker
}

/** Returns the next worker after it has begun its work. */
async function working(): Promise<NodeProcess> {
  workers.push(start())
  const worker = (await workers[0]) as NodeProcess
  worker.write('go\n')
  return worker
}

const query = async <Row>(text: string) =>
  (await product.deps.pool.query<Row & Record<string, unknown>>(text)).rows

/** Ends leases, pauses and intervals, so that the test does not wait for them. */
const makeDue = (wasKilled: boolean) =>
  query(`update sync_states set next_run_at = now(), paused_until = null ${wasKilled ? ', leased_until = null' : ''}
    where ${wasKilled} or leased_until is null`)

const courierStatuses = ['NEW', 'ACCEPTED', 'DELIVERY', 'COURIERDELIVERED', 'COMPLETE']

/** Adds the next status of a parcel. */
function step(n: number): void {
  const orderno = `K${n}`
  const knownParcel = fakeCourier.parcels.get(orderno)
  const at = knownParcel?.statuses.length ?? 0
  if (at === courierStatuses.length) return
  const eventtime = `2026-11-${10 + at} 0${n % 10}:00:00`
  const statuses = [
    ...(knownParcel?.statuses ?? []),
    { code: courierStatuses[at] ?? '', title: courierStatuses[at] ?? '', eventtime },
  ]
  const parcel: CourierParcel = {
    orderno,
    person: `Person ${n}`,
    phone: '1',
    town: 'T',
    address: 'A',
    weight: `${n + 1}.5`,
    price: '1',
    statuses,
  }
  fakeCourier.publish(parcel)
}

/** One line for each event, and one for each parcel with its status. */
const listPublished = () =>
  [...fakeCourier.parcels.values()]
    .flatMap(({ orderno, person, weight, statuses }) => [
      ...statuses.map(({ code, eventtime }) => `${orderno} ${code} ${eventtime}`),
      `${orderno} ${person} ${weight} is ${statuses.at(-1)?.code}`,
    ])
    .toSorted()

const readStoredEvents = async () =>
  (
    await query<{ line: string }>(`
      select concat_ws(' ', p.orderno, e.raw_code, to_char(e.eventtime, 'YYYY-MM-DD HH24:MI:SS')) as line
      from parcel_events e join parcels p on p.id = e.parcel_id
      union all select concat_ws(' ', orderno, person, trim(trailing '0' from weight::text), 'is', status_raw)
      from parcels`)
  )
    .map(({ line }) => line)
    .toSorted()

test('kills between storing and commit leave parcels and histories complete, with nothing twice', async () => {
  const chance = createRandom(11)
  fakeCourier.faults = {
    truncated: 0.1,
    broken: 0.05,
    garbage: 0.05,
    drop: 0.05,
    repeat_rows: 0.4,
    forget_commit: 0.2,
    chance,
  }
  workers = [start(), start()]
  for (let kill = 0; kill < kills; kill++) {
    for (let i = 0; i < 9; i++) step((kill * 9 + i * 7) % parcels)
    let heldCommits = 0
    fakeCourier.interceptCommit = (count) => {
      heldCommits += 1
      // A killed worker may have committed or not.
      if (kill % 2 === 1) count()
    }
    const worker = await working()
    const countHeld = async () => {
      await makeDue(false)
      return heldCommits
    }
    await expect.poll(countHeld, { interval: 20 }).toBe(1)
    expect(await readStoredEvents()).toEqual(listPublished())
    await worker.kill()
    workers = workers.slice(1)
    await makeDue(true)
  }
  fakeCourier.interceptCommit = null
  fakeCourier.faults = { repeat_rows: 0.4, chance }
  await working()
  const countRequests = () => fakeCourier.requests.filter(({ name }) => name === 'statusreq').length
  const before = countRequests()
  // The last answer of a complete run says that nothing has changed.
  const readFinalStatus = async () => {
    const [run] = await query<{ status: string }>('select status from sync_runs order by id desc limit 1')
    return countRequests() > before && run?.status
  }
  await expect.poll(readFinalStatus, { interval: 20 }).toBe('done')
  expect(await readStoredEvents()).toEqual(listPublished())
  const [runs] = await query<{ n: number }>(
    `select count(*) as n from sync_runs where status = 'failed' and error = 'Interrupted'`,
  )
  expect(runs?.n).toBe(kills)
})
