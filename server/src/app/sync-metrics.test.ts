import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openNetworks, buildFastMapping } from '../../test/networks.ts'
import { registerSyncGauges } from '../domains/syncs/syncs.metrics.ts'
import { syncKinds } from './syncs.ts'

const open = () => openNetworks(['100k'])
let fixture: Awaited<ReturnType<typeof open>>

beforeAll(async () => {
  fixture = await open()
})
afterAll(() => fixture.close())

/** The metrics of syncs by their series. */
async function figures(): Promise<Record<string, number>> {
  const { body } = await fixture.product.app.inject('/metrics')
  const lines = body.split('\n').filter((line) => line.startsWith('karvon_sync_'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

/** The metrics are read from the database once a second at most. */
const soon = (expectedFigures: object) =>
  vi.waitFor(async () => expect(await figures()).toMatchObject(expectedFigures), {
    timeout: 30_000,
    interval: 200,
  })

test('the metrics of syncs have the figures, and name accounts only by their ids', async () => {
  const before = await figures()
  expect(before).toMatchObject({
    'karvon_sync_runs_total{kind="cpa",status="done"}': 0,
    'karvon_sync_runs_total{kind="courier",status="failed"}': 0,
    'karvon_sync_accounts{kind="cpa"}': 0,
    'karvon_sync_lag_seconds{kind="cpa"}': 0,
  })
  const [network] = fixture.fakes
  const good = await fixture.createAccount('Good', '100k', buildFastMapping(network))
  const { counts } = await fixture.runSync(good)
  const { rows = 0, created = 0, updated = 0, unmapped = 0 } = counts
  expect(created).toBe(120)
  expect(unmapped).toBeGreaterThan(0)
  await soon({
    'karvon_sync_runs_total{kind="cpa",status="done"}': 1,
    'karvon_sync_rows_total{kind="cpa",what="fetched"}': rows,
    'karvon_sync_rows_total{kind="cpa",what="changed"}': created + updated,
    'karvon_sync_rows_total{kind="cpa",what="unmapped"}': unmapped,
    'karvon_sync_rows_total{kind="courier",what="fetched"}': 0,
    'karvon_sync_accounts{kind="cpa"}': 1,
    'karvon_sync_paused_accounts{kind="cpa"}': 0,
  })

  const bad = await fixture.createAccount('Bad', '100k', buildFastMapping(network), 'wrong')
  const { pool } = fixture.product.deps
  await pool.query(`update sync_states set last_success_at = now() - interval '2 hours'`)
  for (let i = 0; i < 5; i += 1) await fixture.runSync(bad)
  await fixture.runSync(good)
  await soon({
    'karvon_sync_runs_total{kind="cpa",status="done"}': 2,
    'karvon_sync_runs_total{kind="cpa",status="failed"}': 5,
    'karvon_sync_accounts{kind="cpa"}': 2,
    'karvon_sync_paused_accounts{kind="cpa"}': 1,
    // The first account has just succeeded, and the second is new.
    'karvon_sync_lag_seconds{kind="cpa"}': expect.closeTo(0, -3.5),
  })
  await pool.query(
    `update sync_states set last_success_at = now() - interval '2 days' where source_credential_id = $1`,
    [bad.credential],
  )
  await soon({
    'karvon_sync_lag_seconds{kind="cpa"}': expect.closeTo(2 * 24 * 3600, -3.5),
    [`karvon_sync_account_lag_seconds{kind="cpa",account="${bad.credential}"}`]: expect.closeTo(
      2 * 24 * 3600,
      -3.5,
    ),
    [`karvon_sync_account_failures{kind="cpa",account="${bad.credential}"}`]: 5,
    [`karvon_sync_account_failures{kind="cpa",account="${good.credential}"}`]: 0,
    'karvon_sync_waiting_seconds{kind="cpa"}': 0,
  })
  await pool.query(
    `update sync_states set next_run_at = now() - interval '3 hours' where source_credential_id = $1`,
    [good.credential],
  )
  await soon({ 'karvon_sync_waiting_seconds{kind="cpa"}': expect.closeTo(3 * 3600, -3.5) })
  // An account that is not synced has no lag.
  await pool.query(`update cpa_sources set is_active = false where name = 'Bad'`)
  await soon({
    'karvon_sync_lag_seconds{kind="cpa"}': expect.closeTo(0, -3.5),
    'karvon_sync_accounts{kind="cpa"}': 1,
  })

  const after = Object.keys(await figures()).filter((series) => !series.startsWith('karvon_sync_account_'))
  expect(after.toSorted()).toEqual(Object.keys(before).toSorted())
})

test('the metrics of syncs have series of their own for the twenty accounts with the oldest complete runs', async () => {
  const registry = new Registry()
  const { pool } = fixture.product.deps
  await pool.query(`with person as (select min(id) as id from users), account as (
      insert into courier_accounts (name, url, login, pass, user_id) select 'Account ' || n, '', 'login', '', person.id
      from person, generate_series(1, 30) n returning id)
    insert into sync_states (courier_account_id, last_success_at) select id, now() - make_interval(hours => id::int) from account`)
  const kinds = syncKinds(fixture.product.deps).filter(({ column }) => column === 'courier_account_id')
  registerSyncGauges(registry, fixture.product.deps.db, kinds)
  const lines = (await registry.metrics()).split('\n').filter((line) => line.includes('account_lag_seconds{'))
  const { rows } = await pool.query<{ id: number }>(
    'select id from courier_accounts order by id desc limit 20',
  )
  expect(lines.map((line) => Number(/account="(\d+)"/.exec(line)?.[1]))).toEqual(rows.map(({ id }) => id))
})

test('the metrics of syncs are left out while the database cannot be read', async () => {
  const registry = new Registry()
  const [kind] = syncKinds(fixture.product.deps)
  if (kind === undefined) throw new Error('Nothing is fetched')
  const away = { ...kind, findActiveAccounts: () => Promise.reject(new Error('Away')) }
  registerSyncGauges(registry, fixture.product.deps.db, [away])
  expect(await registry.metrics()).not.toMatch(/^karvon_sync_.*kind/m)
})
