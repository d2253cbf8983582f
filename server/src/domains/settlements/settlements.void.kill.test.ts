import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sendFile } from '../../../test/files.ts'
import { createSettlementFixture, dayAgo, type SettlementFixture } from '../../../test/settlements.ts'
import { startWorker } from '../../../test/worker.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { compareLedger } from '../ledger/ledger.check.queries.ts'
import { voidAct } from './settlements.void.ts'

const kills = 4
const lineCount = 1000
const due = 80_000

let fixture: SettlementFixture
let worker: NodeProcess | undefined
beforeAll(async () => {
  fixture = await createSettlementFixture()
})
afterEach(() => worker?.kill())
afterAll(() => fixture.close())

/** What is stored of the act: its lines and sums, the ledger's sums, and the parcels that are settled. */
async function readState() {
  const [state] = await fixture.query<{
    lines: number
    due: number
    courier: number
    person: number
    settled: number
  }>(
    `select (select count(*)::integer from settlement_lines where removed_at is null) as lines,
       (select collected - fees from settlement_acts) as due,
       (select coalesce(sum(amount), 0) from ledger_entries where account_kind = 'courier') as courier,
       (select coalesce(sum(amount), 0) from ledger_entries where account_kind = 'person') as person,
       (select count(*)::integer from parcels where settled_at is not null) as settled`,
  )
  return state
}
/** The state of a voided act that has so many lines left. */
const expectedState = (lines: number) => ({
  lines,
  due: lines * due,
  courier: lines * due,
  person: 0 - lines * due,
  settled: lines,
})

test('a process that is killed while it removes the lines of a voided act leaves money and parcels as the lines are, and the next one continues', async () => {
  const orders = Array.from({ length: lineCount }, (_, n) => `k-${n}`)
  await fixture.addParcels(
    fixture.azizId,
    orders.map((orderno) => ({ orderno, cash: 100_000 })),
  )
  const rows = orders.map((orderno) => `1,${dayAgo(7)},${orderno},100000,20000`)
  const content = ['act_number,act_date,orderno,collected,delivery_fee', ...rows].join('\n')
  const fields = { courier_account_id: String(fixture.account) }
  const url = '/api/admin/settlements/import/'
  await sendFile(fixture.product.app, fixture.admin, url, { name: 'acts.csv', content }, fields)
  expect(await readState()).toEqual(expectedState(lineCount))
  const [act] = await fixture.query<{ id: number }>('select id from settlement_acts')
  const [admin] = await fixture.query<{ id: number }>(`select id from users where username = 'admin'`)
  const person = { userId: admin?.id ?? 0 } as Identity
  await inTransaction(fixture.product.deps.db, (trx) =>
    voidAct(trx, { id: act?.id ?? 0, reason: 'Another account', person }, 5),
  )
  let before = lineCount - 5
  expect(await readState()).toEqual(expectedState(before))
  const readLines = async () => (await readState())?.lines ?? 0
  for (let kill = 0; kill < kills; kill += 1) {
    worker = startWorker('void-worker', fixture.product)
    await worker.waitFor(/ready/)
    await expect.poll(readLines, { interval: 5 }).toBeLessThan(before)
    await sleep(13 * kill)
    await worker.kill()
    // PostgreSQL ends the transaction of a process that died. It holds the lock on the account.
    const locks = `select from pg_locks where relation = 'courier_accounts'::regclass and mode = 'RowShareLock'
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(async () => (await fixture.query(locks)).length).toBe(0)
    const lines = await readLines()
    expect(lines).toBeLessThan(before)
    expect(lines).toBeGreaterThan(0)
    expect(await readState()).toEqual(expectedState(lines))
    before = lines
  }
  await fixture.runJob()
  expect(await readState()).toEqual(expectedState(0))
  expect(await fixture.query('select id from settlement_acts where checked_at is null')).toEqual([])
  const client = await fixture.product.deps.pool.connect()
  try {
    expect((await compareLedger(client)).filter(({ differing }) => differing > 0)).toEqual([])
  } finally {
    client.release()
  }
})
