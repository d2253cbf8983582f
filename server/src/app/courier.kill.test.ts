import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startMeasoft, type CourierParcel, type FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ask, createTestApp, firstAdmin, signIn, type Product } from '../../test/app.ts'

const program = fileURLToPath(new URL('../../test/courier-worker.ts', import.meta.url))
const kills = 20
/** Fewer than the fake tells of at once, so that all of them are stored before each commit. */
const parcels = 40
const login = { extra: '8', login: 'karvon', pass: 'secret' }

let stand: FakeMeasoft
let product: Product
/** Started ahead of their turn: that is what takes the time. */
let workers: Promise<ChildProcess>[] = []

beforeAll(async () => {
  stand = await startMeasoft(login)
  product = await createTestApp({ KARVON_OUTBOUND_ALLOW: new URL(stand.url).host })
  const admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  const { id: user_id } = (await ask(product.app, admin, 'GET', '/parcel/auth/me')).json<{ id: number }>()
  const body = { name: 'MeaSoft', url: stand.url, ...login, user_id }
  await ask(product.app, admin, 'POST', '/api/admin/courier-accounts/', body)
})
afterEach(async () => {
  for (const each of workers.splice(0)) await killed(await each)
})
afterAll(async () => {
  await product.close()
  await stand.close()
})

async function start(): Promise<ChildProcess> {
  const { databaseUrl, deps } = product
  const child = spawn(process.execPath, [program, databaseUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      KARVON_OUTBOUND_ALLOW: deps.config.outboundAllow.join(),
      KARVON_DATA: deps.config.dataFolder,
      KARVON_TIMEZONE: deps.config.timeZone,
    },
  })
  await once(child.stdout, 'data')
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** The next worker, at its work. */
async function working(): Promise<ChildProcess> {
  workers.push(start())
  const child = (await workers[0]) as ChildProcess
  child.stdin?.write('go\n')
  return child
}

const query = async <Row>(text: string) =>
  (await product.deps.pool.query<Row & Record<string, unknown>>(text)).rows

/** Rather than wait until leases, pauses and times between runs are over. */
const makeDue = (died: boolean) =>
  query(`update sync_states set next_run_at = now(), paused_until = null ${died ? ', leased_until = null' : ''}
    where ${died} or leased_until is null`)

const way = ['NEW', 'ACCEPTED', 'DELIVERY', 'COURIERDELIVERED', 'COMPLETE']

/** One more step of a parcel's way. */
function step(n: number): void {
  const orderno = `K${n}`
  const known = stand.parcels.get(orderno)
  const at = known?.statuses.length ?? 0
  if (at === way.length) return
  const eventtime = `2026-11-${10 + at} 0${n % 10}:00:00`
  const statuses = [...(known?.statuses ?? []), { code: way[at] ?? '', title: way[at] ?? '', eventtime }]
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
  stand.publish(parcel)
}

/** A line an event, and a line a parcel: what it is and where it stands. */
const told = () =>
  [...stand.parcels.values()]
    .flatMap(({ orderno, person, weight, statuses }) => [
      ...statuses.map(({ code, eventtime }) => `${orderno} ${code} ${eventtime}`),
      `${orderno} ${person} ${weight} is ${statuses.at(-1)?.code}`,
    ])
    .toSorted()

const stored = async () =>
  (
    await query<{ line: string }>(`
      select concat_ws(' ', p.orderno, e.raw_code, to_char(e.eventtime, 'YYYY-MM-DD HH24:MI:SS')) as line
      from parcel_events e join parcels p on p.id = e.parcel_id
      union all select concat_ws(' ', orderno, person, trim(trailing '0' from weight::text), 'is', status_raw)
      from parcels`)
  )
    .map(({ line }) => line)
    .toSorted()

test(
  'killed twenty times between storing and commit, parcels and histories are the courier’s, nothing twice',
  { timeout: 180_000 },
  async () => {
    let state = 11
    const chance = () => {
      state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
      return state / 4_294_967_296
    }
    stand.faults = {
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
      let held = 0
      stand.interceptCommit = (count) => {
        held += 1
        // Whoever dies does not know whether it counts.
        if (kill % 2 === 1) count()
      }
      const worker = await working()
      const reached = async () => {
        await makeDue(false)
        return held
      }
      await expect.poll(reached, { timeout: 30_000, interval: 20 }).toBe(1)
      expect(await stored()).toEqual(told())
      await killed(worker)
      workers = workers.slice(1)
      await makeDue(true)
    }
    stand.interceptCommit = null
    stand.faults = { repeat_rows: 0.4, chance }
    await working()
    const asked = () => stand.requests.filter(({ name }) => name === 'statusreq').length
    const before = asked()
    // The last answer to a whole run is that nothing has changed.
    const rests = async () => {
      const [run] = await query<{ status: string }>('select status from sync_runs order by id desc limit 1')
      return asked() > before && run?.status
    }
    await expect.poll(rests, { timeout: 30_000, interval: 20 }).toBe('done')
    expect(await stored()).toEqual(told())
    const [runs] = await query<{ n: number }>(
      `select count(*) as n from sync_runs where status = 'failed' and error = 'Interrupted'`,
    )
    expect(runs?.n).toBe(kills)
  },
)
