import { setTimeout as sleep } from 'node:timers/promises'
import { selectCount } from '@karvon/testkit/extent.ts'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listLedgerDifferences } from '../../test/ledger-differences.ts'
import {
  countPlantedMoney,
  countUnexplained,
  createSettlementFixture,
  plantFaults,
  readPostedSums,
  readOpenDifferences,
  readVersions,
  type SettlementFixture,
} from '../../test/settlements.ts'
import { startWorker } from '../../test/worker.ts'
import { countDifferingSettledParcels } from '../domains/settlements/settlements.check.queries.ts'

const lines = selectCount({ short: 4000, long: 100_000 })
const kills = selectCount({ short: 4, long: 50 })
const acts = 40

let fixture: SettlementFixture
/** Workers are started in advance, because the start takes long. */
let workers: Promise<NodeProcess>[] = []

beforeAll(async () => {
  fixture = await createSettlementFixture()
})
afterAll(async () => {
  for (const worker of workers) await (await worker).kill()
  await fixture.close()
})

async function start(): Promise<NodeProcess> {
  const worker = startWorker('courier-worker', fixture.product)
  await worker.waitFor(/ready/)
  return worker
}

const countDetails = () => fixture.courier.requests.filter(({ name }) => name === 'smadetail').length

async function isStoring(): Promise<boolean> {
  const rows = await fixture.query(`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and query ~ 'settlement'`)
  return rows.length > 0
}

/** Ends the lease of a killed worker, and the pause until the next reading of the acts. */
const makeDue = () =>
  fixture.query(
    'update sync_states set next_run_at = now(), paused_until = null, leased_until = null, memory = null',
  )

/** Kills a worker while it fetches or stores acts. Answers whether it was in a transaction that stores an act. */
async function killWorker(wait: number): Promise<boolean> {
  workers.push(start())
  const worker = await workers.shift()
  // The first worker is killed while it waits in its transaction.
  const blocker = wait === 0 ? await fixture.product.deps.pool.connect() : undefined
  try {
    await blocker?.query('begin; lock table settlement_lines in share mode')
    // The text of the lock is not taken for that of the worker.
    await blocker?.query('select 1')
    await makeDue()
    const before = countDetails()
    worker?.write('go\n')
    await expect.poll(countDetails, { interval: 5 }).toBeGreaterThan(before)
    if (wait % 2 === 0) await expect.poll(isStoring, { interval: 2 }).toBe(true)
    await sleep(wait * 10)
    const wasStoring = await isStoring()
    await worker?.kill()
    return wasStoring
  } finally {
    await blocker?.query('rollback')
    blocker?.release()
  }
}

test('lines of acts with twelve kinds of faults are explained and in the ledger to the tiyin after kills, and another fetch changes no row', async () => {
  const expected = await plantFaults(fixture, { count: lines, linesPerAct: Math.ceil(lines / acts) })
  workers = [start()]
  let interruptedCount = 0
  for (let kill = 0; kill < kills; kill += 1) if (await killWorker((kill * 7) % 12)) interruptedCount += 1
  expect(interruptedCount).toBeGreaterThan(0)
  await makeDue()
  expect(await fixture.fetchActs()).toMatchObject({ status: 'done' })
  await fixture.runJob()
  expect(await readOpenDifferences(fixture)).toEqual(expected)
  expect(await countUnexplained(fixture)).toBe(0)
  expect(await readPostedSums(fixture)).toEqual(countPlantedMoney(fixture))
  await expectConsistent()

  const before = await readVersions(fixture)
  await fixture.fetchActs()
  await fixture.runJob()
  expect(await readVersions(fixture)).toBe(before)

  // A correction of one line by 123.45 posts two entries of this amount.
  const [{ id: last } = { id: 0 }] = await fixture.query<{ id: number }>(
    'select max(id) as id from ledger_entries',
  )
  const [correctedLine] = [...(fixture.courier.acts?.values() ?? [])].flatMap(
    ({ lines: actLines, datepay }) =>
      datepay === undefined ? actLines.filter(({ pricecalc }) => pricecalc === undefined) : [],
  )
  if (correctedLine === undefined) throw new Error('There is no unpaid act')
  correctedLine.rur = (Number(correctedLine.rur) + 123.45).toFixed(2)
  await fixture.fetchActs()
  const postedEntries = await fixture.query<{ amount: number }>(
    `select amount from ledger_entries where id > ${last} order by amount`,
  )
  expect(postedEntries.map(({ amount }) => amount)).toEqual([-123.45, 123.45])
  expect(await readPostedSums(fixture)).toEqual(countPlantedMoney(fixture))
  await expectConsistent()
})

/** Compares the ledger with its causes, and `settled_at` of the parcels with the lines. */
async function expectConsistent(): Promise<void> {
  const { pool } = fixture.product.deps
  expect(await listLedgerDifferences(pool)).toEqual([])
  const client = await pool.connect()
  try {
    expect(await countDifferingSettledParcels(client)).toMatchObject({ differing: 0 })
  } finally {
    client.release()
  }
}
