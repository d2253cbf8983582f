import type { Page } from '@karvon/contract/lib/page.ts'
import type { NetworkDifference, NetworkMoney } from '@karvon/contract/network-money/network-money.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { listLedgerDifferences } from '../../test/ledger-differences.ts'
import { openDemo } from '../app/demo.ts'

const places = ['127.0.0.1:41001', '127.0.0.1:41002'] as const
let product: Product
let admin: Session

/** Opens the demo with networks at a host, or without networks. */
const open = (demoNetworks: string | undefined) =>
  openDemo({ ...product.deps, config: { ...product.deps.config, demo: true, demoNetworks } })

beforeAll(async () => {
  product = await createTestApp()
  await open(places[0])
  admin = await signInAdmin(product.app)
})

afterAll(() => product.close())

interface Website {
  id: number
  name: string
  mapping: { base_url: string }
}
const listRows = async <Row>(resource: string) =>
  (await callApi(product.app, admin, 'GET', `/api/admin/${resource}/`)).json<Page<Row>>().items
const websites = async () =>
  (await listRows<Website>('cpa-websites'))
    .map(({ name, mapping }) => `${name} ${mapping.base_url}`)
    .toSorted()
const couriers = async () => (await listRows<{ url: string }>('courier-accounts')).map(({ url }) => url)
const mark = () => readFile(join(product.deps.config.dataFolder, 'demo-networks'), 'utf8')

test("the demo's accounts have the addresses of its networks, and follow a changed port", async () => {
  expect(await websites()).toEqual([
    '100k.uz http://127.0.0.1:41001/fake/100k/api',
    'sotuvchi.com http://127.0.0.1:41001/fake/sotuvchi/api',
  ])
  expect(await mark()).toContain('networks')
  await product.deps.pool.query(`insert into sync_states (source_credential_id, failures, paused_until)
    select id, 6, now() + interval '1 hour' from source_credentials`)
  expect((await open(places[1])).jobs).toHaveLength(1)
  expect(await websites()).toEqual([
    '100k.uz http://127.0.0.1:41002/fake/100k/api',
    'sotuvchi.com http://127.0.0.1:41002/fake/sotuvchi/api',
  ])
  expect(await couriers()).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:41002\/fake\/measoft\/api\/\?opened=\d{13}$/),
  ])
  const { rows } = await product.deps.pool.query(
    'select 1 from sync_states where failures > 0 or paused_until is not null',
  )
  expect(rows).toEqual([])
})

test("the demo's difference at 100k.uz is explained by lines, one of each kind that it has", async () => {
  const { pool } = product.deps
  await pool.query('update sync_states set balance = 0, hold = 0, money_at = now()')
  const accounts = await listRows<NetworkMoney>('network-money')
  const account = accounts.find(({ source }) => source.name === '100k.uz')
  expect(account?.earned).toBeGreaterThan(0)
  const lines = await listRows<NetworkDifference>(`network-money/${account?.id}/differences`)
  expect(lines.map(({ kind }) => kind).toSorted()).toEqual([
    'lead_not_counted',
    'other_transaction',
    'other_transaction',
    'payout_differs',
    'status_differs',
    'unknown_lead',
    'withdrawal_not_listed',
  ])
  const inTiyin = (amount: number) => Math.round(amount * 100)
  const sum = lines.reduce((total, { difference }) => total + inTiyin(difference), 0)
  expect(sum).toBe(inTiyin(account?.difference ?? 0))
  expect(await listLedgerDifferences(pool)).toEqual([])
})

test("the demo's accounts are synced soon, and real accounts at their own time", async () => {
  const { pool } = product.deps
  await pool.query(`insert into courier_accounts (name, url, login, user_id)
    select 'Real', 'https://courier.example/api/', 'real', min(id) from users`)
  await pool.query(`insert into sync_states (courier_account_id) select id from courier_accounts`)
  await pool.query(`update sync_states set next_run_at = now() + interval '5 minutes'`)
  const { jobs } = await open(places[1])
  await jobs[0]?.run(new AbortController().signal)
  const { rows } = await pool.query(`
    select coalesce(c.name, a.name) as name from sync_states s
    left join source_credentials c on c.id = s.source_credential_id
    left join courier_accounts a on a.id = s.courier_account_id
    where s.next_run_at < now() + interval '1 minute' order by 1`)
  expect(rows.map(({ name }) => String(name))).toEqual([
    '100k.uz · Aziz',
    'MeaSoft · Olcha',
    'sotuvchi.com · Aziz',
  ])
})

test('a demo account whose address was changed to a real network keeps this address', async () => {
  const [website, otherWebsite] = await listRows<Website>('cpa-websites')
  const mapping = { base_url: 'https://api.100k.uz/api' }
  await callApi(product.app, admin, 'PUT', `/api/admin/cpa-websites/${website?.id}/`, { mapping })
  await open(places[0])
  const now = await listRows<Website>('cpa-websites')
  expect(now.find(({ id }) => id === website?.id)?.mapping).toEqual(mapping)
  expect(now.find(({ id }) => id === otherWebsite?.id)?.mapping.base_url).toContain(places[0])

  await product.deps.pool.query('delete from sync_states')
  await product.deps.pool.query('delete from network_transactions')
  await product.deps.pool.query('delete from source_credentials')
  await product.deps.pool.query('delete from cpa_websites')
  for (const table of ['settlement_differences', 'settlement_lines', 'settlement_acts', 'courier_tariffs'])
    await product.deps.pool.query(`delete from ${table}`)
  await product.deps.pool.query('delete from courier_accounts')
  expect((await open(places[0])).jobs).toEqual([])
  await expect(mark()).rejects.toThrow('ENOENT')
})

test('a demo without networks has no accounts', async () => {
  const otherProduct = await createTestApp()
  await openDemo({
    ...otherProduct.deps,
    config: { ...otherProduct.deps.config, demo: true, demoNetworks: undefined },
  })
  const { rows } = await otherProduct.deps.pool.query(
    'select id from source_credentials union all select id from courier_accounts',
  )
  expect(rows).toEqual([])
  await otherProduct.close()
})
