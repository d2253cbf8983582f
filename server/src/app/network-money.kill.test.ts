import { setTimeout as sleep } from 'node:timers/promises'
import { selectCount } from '@karvon/testkit/extent.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { listLedgerDifferences } from '../../test/ledger-differences.ts'
import { hour, runStart } from '../../test/moment.ts'
import { createEmptyStore, createRandom, openNetworks } from '../../test/networks.ts'
import { createSyncWorkers } from '../../test/worker.ts'

const kills = selectCount({ short: 3, long: 12 })

const open = () => openNetworks(['100k'])
let fixture: Awaited<ReturnType<typeof open>>
const workers = createSyncWorkers()

beforeAll(async () => {
  fixture = await open()
})
afterEach(() => workers.killAll())
afterAll(() => fixture.close())

const query = async <Row>(text: string, values: unknown[] = []) =>
  (await fixture.product.deps.pool.query<Row & Record<string, unknown>>(text, values)).rows

/** Ends the lease of a killed run. It gets no owner, because a statement of the killed process may still arrive. */
const release = () =>
  query(
    `update sync_states set leased_by = null, leased_until = now(), next_run_at = now(), paused_until = null`,
  )

test('kills while money is read lose no transaction and post each paid withdrawal once', async () => {
  const [network] = fixture.fakes
  const chance = createRandom(36)
  const store = createEmptyStore(36)
  network.store = store
  store.addOrders(40, runStart - 90 * hour)
  store.settleOrders(runStart - 80 * hour)
  const pending: number[] = []
  const addMoney = (rows: number) => {
    for (let n = 0; n < rows; n += 1) {
      const amount = 100 + Math.floor(chance() * 900)
      if (n % 4 === 0) pending.push(store.withdraw(amount, runStart - hour, 'pending'))
      else
        store.addTransaction({
          amount,
          type: 'credit',
          targetType: null,
          target: null,
          comment: '',
          at: runStart - hour,
        })
    }
    for (const id of pending.splice(0, Math.floor(pending.length / 2)))
      store.setWithdrawalStatus(id, 'paid', runStart)
  }
  addMoney(400)
  const mapping = { base_url: network.url, limits: { page_delay_ms: 20 } }
  const account = await fixture.createAccount('Killed', '100k', mapping)

  const countMoneyRequests = () =>
    network.requests.filter(({ path }) => /transactions|withdraws/.test(path)).length
  for (let kill = 1; kill <= kills; kill += 1) {
    const worker = await workers.start(fixture.product)
    const before = countMoneyRequests()
    worker.write('go')
    await expect.poll(countMoneyRequests, { interval: 4 }).toBeGreaterThan(before)
    // A run of new rows alone makes few requests, so the wait for more of them ends after some time.
    const targetCount = before + 1 + Math.floor(chance() * 6)
    for (let waits = 0; countMoneyRequests() < targetCount && waits < 20; waits += 1) await sleep(10)
    await worker.kill()
    await release()
    addMoney(60)
  }

  // The first run continues the interrupted reading. Rows that came meanwhile are read by the next one.
  await fixture.runSync(account, true)
  await fixture.runSync(account)
  const [storedSums] = await query<{ transactions: number; withdrawals: number; paid: number }>(
    `select count(*) filter (where kind = 'transaction') as transactions,
         count(*) filter (where kind = 'withdrawal') as withdrawals,
         coalesce(sum(amount * 100) filter (where is_paid), 0)::bigint as paid
       from network_transactions where source_credential_id = $1`,
    [account.credential],
  )
  const paidSum = store
    .withdrawals()
    .reduce((sum, { status, amount }) => (status === 'paid' ? sum + amount : sum), 0)
  expect(storedSums).toEqual({
    transactions: store.transactions().length,
    withdrawals: store.withdrawals().length,
    paid: paidSum,
  })
  const postedSums = await query<{ account_kind: string; amount: number }>(
    `select account_kind, (sum(amount) * 100)::bigint as amount from ledger_entries
       where cause_type = 'network_transaction' group by 1 order by 1`,
  )
  expect(postedSums).toEqual([
    { account_kind: 'network', amount: -paidSum },
    { account_kind: 'paid', amount: paidSum },
  ])
  expect(await listLedgerDifferences(fixture.product.deps.pool)).toEqual([])
})
