import { streams } from '@karvon/contract/streams/streams.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { callApi, type Session } from '../../../test/app.ts'
import { createRow, createUser, readId, readOwnId } from '../../../test/people.ts'
import { createReplicatedApp, type ReplicatedApp } from '../../../test/replicated-app.ts'
import { createSample } from '../../../test/sample.ts'

/** Pairs of a change and a read in each test of them. KARVON_READ_PAIRS=250000 makes a million together. */
const pairs = Number(process.env.KARVON_READ_PAIRS ?? 100)
const pairsTimeout = 60_000 + pairs * 100
const maxLag = 2

let app: ReplicatedApp
let replica: ReplicatedApp['replica']
let product: ReplicatedApp['product']
let admin: Session
let waitForReplay: ReplicatedApp['waitForReplay']

beforeAll(async () => {
  app = await createReplicatedApp(maxLag)
  ;({ replica, product, admin, waitForReplay } = app)
})
afterEach(async () => {
  await replica.execute('select pg_wal_replay_resume()')
})
afterAll(() => app.close())

const pauseReplay = () => replica.execute('select pg_wal_replay_pause()')

/** The replay may cancel a statement on a standby that is late. */
const setReplayDelay = (delay: string) =>
  vi.waitFor(
    async () => {
      await replica.execute(`alter system set recovery_min_apply_delay = '${delay}'`)
      await replica.execute('select pg_reload_conf()')
    },
    { timeout: 60_000 },
  )

async function countReads(source: string): Promise<number> {
  const text = await product.deps.metrics.getSingleMetricAsString('database_reads_total')
  return Number(new RegExp(`source="${source}"} (\\d+)`).exec(text)?.[1] ?? 0)
}

const url = 'https://network.example'
const createSource = (name: string) => createRow(product.app, admin, '/api/admin/cpa-sources/', { name, url })
/** Another process or person writes. */
const insertSource = (name: string) =>
  product.deps.pool.query('insert into cpa_sources (name, url) values ($1, $2)', [name, url])

async function readSources(): Promise<{ total: number; names: string[] }> {
  const answer = await callApi(product.app, admin, 'GET', '/api/admin/cpa-sources/?per_page=20&sort=-id')
  expect(answer.statusCode, answer.body).toBe(200)
  const { items, meta } = answer.json<{ items: { name: string }[]; meta: { total: number } }>()
  return { total: meta.total, names: items.map(({ name }) => name) }
}
const listSources = async () => (await readSources()).names

test('a list is read on the standby once it has replayed what the person wrote', async () => {
  await createSource('Replayed')
  await waitForReplay()
  const before = await countReads('replica')
  expect(await listSources()).toContain('Replayed')
  expect(await countReads('replica')).toBe(before + 1)
})

/** A source whose name has the number of its last change. */
async function createNumberedSource(label: string) {
  const id = await createSource(`${label} 0`)
  return {
    change: (n: number) =>
      callApi(product.app, admin, 'PUT', `/api/admin/cpa-sources/${id}/`, { name: `${label} ${n}`, url }),
    /** Another process or person changes it. */
    changeDirectly: (n: number) =>
      product.deps.pool.query('update cpa_sources set name = $1 where id = $2', [`${label} ${n}`, id]),
    find: (names: string[]) =>
      Number(names.find((name) => name.startsWith(`${label} `))?.slice(label.length)),
  }
}

/**
 * Writes and reads in turn; every third change is the reader's own. Returns the changes after whose read the own change was
 * missing, or the state was older than before.
 */
async function findStaleReads(label: string, afterWrite: (n: number) => unknown): Promise<number[]> {
  const staleReads: number[] = []
  const [own, foreign] = [
    await createNumberedSource(`${label}, own`),
    await createNumberedSource(`${label}, foreign`),
  ]
  let [ownNumber, foreignNumber] = [0, 0]
  for (let n = 1; n <= pairs; n += 1) {
    if (n % 3 === 0) {
      expect((await own.change(n)).statusCode).toBe(200)
      ownNumber = n
    } else await foreign.changeDirectly(n)
    await afterWrite(n)
    const names = await listSources()
    const readForeignNumber = foreign.find(names)
    if (own.find(names) !== ownNumber || !(readForeignNumber >= foreignNumber)) staleReads.push(n)
    foreignNumber = readForeignNumber
  }
  return staleReads
}

test(
  'each person sees own changes at once and never an older state, while the replay stops and goes on',
  async () => {
    const before = await countReads('replica')
    const staleReads = await findStaleReads('Pair', async (n) => {
      if (n % 10 === 0) await pauseReplay()
      if (n % 10 === 7) await replica.execute('select pg_wal_replay_resume()')
      if (n % 10 === 9) await sleep(20)
    })
    expect(staleReads).toEqual([])
    expect(await countReads('replica')).toBeGreaterThan(before)
  },
  pairsTimeout,
)

test.for(['0', '2s', '30s'])(
  'each person sees own changes at once and never an older state, while the standby is %s behind',
  { timeout: pairsTimeout },
  async (delay) => {
    await setReplayDelay(delay)
    expect(await findStaleReads(`Behind ${delay}`, () => undefined)).toEqual([])
    await setReplayDelay('0')
    await waitForReplay()
  },
)

test('a person who read the change of another writer on the primary still sees it while the standby is late', async () => {
  await setReplayDelay('300ms')
  await waitForReplay()
  for (let cycle = 0; cycle < 5; cycle += 1) {
    await createSource(`Own ${cycle}`)
    await sleep(150)
    await insertSource(`Foreign ${cycle}`)
    let { total } = await readSources()
    // The standby replays the own change 150 ms before the other one.
    for (const endAt = performance.now() + 400; performance.now() < endAt;) {
      const now = await readSources()
      expect(now.total).toBeGreaterThanOrEqual(total)
      total = now.total
    }
  }
  await setReplayDelay('0')
})

test('a change by an admin counts for everybody at once, so a right that ended ends while the standby is behind', async () => {
  const source = await createSource('Network')
  const role = await createRow(product.app, admin, '/api/admin/roles/', {
    name: 'Buyers',
    code: 'buyers',
    source_ids: [source],
  })
  const buyer = await createUser(product.app, admin, 'lola', role)
  const buyerId = await readOwnId(product.app, buyer)
  const { id: stream } = await createSample(product.app, admin, streams, {
    name: 'Own',
    user_id: buyerId,
    source_id: source,
    offer_id: null,
  })
  await product.deps.pool.query(
    `insert into leads (source_id, external_id, stream_id, source_status, payout, currency, day, created_at, updated_at)
     values ($1, 'L1', $2, 'new', 1, 'UZS', current_date, now(), now())`,
    [source, stream],
  )
  await waitForReplay()
  const countLeads = async () =>
    (await callApi(product.app, buyer, 'GET', '/api/user/leads/')).json<{ meta: { total: number } }>().meta
      .total
  await expect.poll(countLeads).toBe(1)
  await pauseReplay()
  const access = await readId(product.app, admin, `/api/admin/role-source-access/?role_id=${role}`)
  expect(
    (await callApi(product.app, admin, 'DELETE', `/api/admin/role-source-access/${access}/`)).statusCode,
  ).toBe(200)
  expect(await countLeads()).toBe(0)
})

test('a standby that is behind for longer than the limit is left out, and used again afterwards', async () => {
  await waitForReplay()
  await pauseReplay()
  await insertSource('Late')
  await expect.poll(listSources, { interval: 200 }).toContain('Late')
  await replica.execute('select pg_wal_replay_resume()')
  await waitForReplay()
  const before = await countReads('replica')
  await expect
    .poll(async () => (await listSources()).length > 0 && (await countReads('replica')) > before)
    .toBe(true)
})

test('no call fails while the standby is killed and starts again', async () => {
  await waitForReplay()
  const end = new AbortController()
  const readAll = async () => {
    while (!end.signal.aborted) expect(await listSources()).toContain('Late')
  }
  const readers = Array.from({ length: 4 }, readAll)
  await sleep(200)
  await replica.kill()
  await sleep(500)
  await replica.start()
  const before = await countReads('replica')
  await expect.poll(() => countReads('replica')).toBeGreaterThan(before)
  end.abort()
  await Promise.all(readers)
})
