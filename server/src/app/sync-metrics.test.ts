import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openNetworks, quick } from '../../test/networks.ts'
import { registerSyncGauges } from '../domains/syncs/syncs.metrics.ts'
import { syncKinds } from './syncs.ts'

const open = () => openNetworks(['100k'])
let desks: Awaited<ReturnType<typeof open>>

beforeAll(async () => {
  desks = await open()
})
afterAll(() => desks.close())

/** The figures of what is fetched, by their series. */
async function figures(): Promise<Record<string, number>> {
  const { body } = await desks.product.app.inject('/metrics')
  const lines = body.split('\n').filter((line) => line.startsWith('karvon_sync_'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

/** They are looked up once a second at the most. */
const soon = (wanted: object) =>
  vi.waitFor(async () => expect(await figures()).toMatchObject(wanted), { timeout: 30_000, interval: 200 })

test('what is fetched is told as figures, without a word of whose accounts they are', async () => {
  const before = await figures()
  expect(before).toMatchObject({
    'karvon_sync_runs_total{kind="cpa",status="done"}': 0,
    'karvon_sync_runs_total{kind="courier",status="failed"}': 0,
    'karvon_sync_accounts{kind="cpa"}': 0,
    'karvon_sync_lag_seconds{kind="cpa"}': 0,
  })
  const [stand] = desks.stands
  const good = await desks.reading('Good', '100k', quick(stand))
  const { counts } = await desks.runNow(good)
  const { rows = 0, created = 0, updated = 0, unmapped = 0 } = counts
  expect(created).toBe(120)
  expect(unmapped).toBeGreaterThan(0)
  await soon({
    'karvon_sync_runs_total{kind="cpa",status="done"}': 1,
    'karvon_sync_rows_total{kind="cpa",what="taken"}': rows,
    'karvon_sync_rows_total{kind="cpa",what="changed"}': created + updated,
    'karvon_sync_rows_total{kind="cpa",what="unmapped"}': unmapped,
    'karvon_sync_rows_total{kind="courier",what="taken"}': 0,
    'karvon_sync_accounts{kind="cpa"}': 1,
    'karvon_sync_paused_accounts{kind="cpa"}': 0,
  })

  const bad = await desks.reading('Bad', '100k', quick(stand), 'wrong')
  const { pool } = desks.product.deps
  await pool.query(`update sync_states set good_at = now() - interval '2 hours'`)
  for (let i = 0; i < 5; i += 1) await desks.runNow(bad)
  await desks.runNow(good)
  await soon({
    'karvon_sync_runs_total{kind="cpa",status="done"}': 2,
    'karvon_sync_runs_total{kind="cpa",status="failed"}': 5,
    'karvon_sync_accounts{kind="cpa"}': 2,
    'karvon_sync_paused_accounts{kind="cpa"}': 1,
    // That one was good just now, this one is new.
    'karvon_sync_lag_seconds{kind="cpa"}': expect.closeTo(0, -3.5),
  })
  await pool.query(
    `update sync_states set good_at = now() - interval '2 days' where source_credential_id = $1`,
    [bad.credential],
  )
  await soon({ 'karvon_sync_lag_seconds{kind="cpa"}': expect.closeTo(2 * 24 * 3600, -3.5) })
  // Who is not fetched any more is not late either.
  await pool.query(`update cpa_sources set is_active = false where name = 'Bad'`)
  await soon({
    'karvon_sync_lag_seconds{kind="cpa"}': expect.closeTo(0, -3.5),
    'karvon_sync_accounts{kind="cpa"}': 1,
  })

  const after = await figures()
  expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted())
})

test('they are left out while nobody can say', async () => {
  const registry = new Registry()
  const [kind] = syncKinds(desks.product.deps)
  if (kind === undefined) throw new Error('Nothing is fetched')
  const away = { ...kind, findActiveAccounts: () => Promise.reject(new Error('Away')) }
  registerSyncGauges(registry, desks.product.deps.db, [away])
  expect(await registry.metrics()).not.toMatch(/^karvon_sync_.*kind/m)
})
