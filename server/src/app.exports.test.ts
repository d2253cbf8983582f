import type { Call } from '@karvon/contract/lib/call.ts'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { calls, resources } from '@karvon/contract/registry.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertAlert } from '../test/alert-rows.ts'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../test/app.ts'
import { readAllPages, buildCells, readCsv, readXlsx } from '../test/exports.ts'
import { sendFile } from '../test/files.ts'
import { createUser, readOwnId } from '../test/people.ts'
import { createSample } from '../test/sample.ts'

let product: Product
let admin: Session
let person: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  for (const of of resources) for (let n = 0; n < 3; n += 1) await createSample(product.app, admin, of)
  const source = await createSample(product.app, admin, cpaSources, { is_active: true })
  const role = await callApi(product.app, admin, 'POST', '/api/admin/roles/', {
    name: 'Buyer',
    code: 'buyer',
    source_ids: [source.id],
  })
  person = await createUser(product.app, admin, 'aziz', role.json<{ id: number }>().id)
  await fill(source.id, String(source.postback_key))
})
afterAll(() => product.close())

/** Creates rows for every list that belongs to no resource. */
async function fill(source: number, key: string): Promise<void> {
  const { app, deps } = product
  const content = ['external_id,created_at,status,payout,offer,stream,comment']
  for (let n = 1; n <= 9; n += 1) {
    const sourceStatus = ['sold', 'weird', 'hold', 'чудно'][n % 4]
    content.push(
      `=L${n},2026-11-0${n}T23:30:00,${sourceStatus},${n}.10,"Чайник ""${n % 3}"", ${n % 3} л",Поток ${n % 2},`,
    )
  }
  const file = { name: 'l.csv', content: content.join('\n') }
  const fields = { source_id: String(source) }
  await sendFile(app, admin, '/api/admin/leads/import/', file, fields)
  await deps.pool.query(
    `update streams set user_id = (select id from users where username = 'aziz') where name = 'Поток 1'`,
  )
  for (const as of [admin, person]) {
    const orders = (await callApi(app, as, 'GET', '/api/parcel/files/template/')).rawPayload
    for (const description of ['первый', '+второй', '']) {
      await sendFile(
        app,
        as,
        '/api/parcel/files/upload/',
        { name: 'Заказы, "ноябрь".xlsx', content: orders },
        {
          description,
        },
      )
    }
  }
  await fillMoney()
  for (const status of ['sold', 'hold', 'weird'])
    await app.inject(`/api/postback/${key}?click_id=p-${status}&status=${status}&payout=5`)
  await deps.pool.query(
    `insert into outgoing_postbacks (lead_id, source_status, payout, changed_at) select id, source_status, payout, updated_at from leads`,
  )
  await deps.pool.query(
    `insert into sync_runs (source_credential_id, counts) select id, '{"rows": 3}' from source_credentials`,
  )
  await fillSettlements()
  for (const as of [admin, person]) {
    const id = await readOwnId(app, as)
    for (const name of ['=Quiet', 'Few, "leads"']) await insertAlert(deps.pool, id, name)
  }
  for (const name of ['=Mine', 'Вид, "2"'])
    await callApi(app, admin, 'POST', '/api/views/', {
      name,
      address: '/leads?search==L',
      shared_role_ids: [],
    })
  await deps.pool.query(
    `insert into notices (user_id, kind, once, text) select id, 'digest', 'digest:' || id, '=Итоги' || id from users`,
  )
}

/** Entries, withdrawals, statements and payout terms of the admin and the person, with sent withdrawals. */
async function fillMoney(): Promise<void> {
  const call = (as: Session, method: 'GET' | 'POST', url: string, body?: object) =>
    callApi(product.app, as, method, url, body)
  for (const as of [admin, person]) {
    const { id } = (await call(as, 'GET', '/parcel/auth/me')).json<{ id: number }>()
    const entry = { account_id: `person-${id}-UZS`, amount: -900.5, reason: 'Opening balance' }
    await call(admin, 'POST', '/api/admin/ledger/adjustments/', entry)
    for (const details of ['=8600 1234 5678 9012', '8600, "Uzcard"']) {
      const request = { currency: 'UZS', amount: 100.25, details }
      const answer = await call(as, 'POST', '/api/user/withdrawals/', request)
      const withdrawal = answer.json<{ id: number }>().id
      await call(admin, 'POST', `/api/admin/withdrawals/${withdrawal}/approve/`)
    }
    for (const start_date of ['2026-01-01', '2026-01-16']) {
      const period = { user_id: id, currency: 'UZS', start_date, end_date: start_date }
      await call(admin, 'POST', '/api/admin/statements/', period)
    }
  }
  await call(admin, 'POST', '/api/admin/payment-registries/', { currency: 'UZS' })
  for (const valid_from of ['2999-01-01', '2999-02-01']) {
    const terms = { valid_from, earned_at: 'sold', share: 77.5, hold_days: 3, minimum: 10 }
    await call(admin, 'POST', '/api/admin/payout-terms/', terms)
  }
}

/** Creates acts of a courier account of Aziz: of the parcels of the order file, and of an unknown order. */
async function fillSettlements(): Promise<void> {
  const { rows } = await product.deps.pool.query<{ id: number }>(
    `insert into courier_accounts (name, url, login, user_id) select '=Courier', 'https://c.example', 'c', id
     from users where username = 'aziz' returning id`,
  )
  const content = ['act_number,act_date,paid_at,orderno,collected,fee']
  for (const number of ['=1', '2']) {
    const paidDate = number === '2' ? '2026-11-25' : ''
    content.push(
      `${number},2026-11-20,${paidDate},A-1001,10.50,1`,
      `${number},2026-11-20,${paidDate},=X,20,2`,
    )
  }
  const fields = { courier_account_id: String(rows[0]?.id) }
  const file = { name: 'acts.csv', content: content.join('\n') }
  const answer = await sendFile(product.app, admin, '/api/admin/settlements/import/', file, fields)
  expect(answer.json()).toMatchObject({ imported: 4 })
}

const isPage = ({ answer }: Call) => {
  const { properties } = (answer ?? {}) as { properties?: { meta?: { properties?: object } } }
  return Object.hasOwn(properties?.meta?.properties ?? {}, 'filtered_total')
}
// A call with path parameters answers the rows of one parent row.
const lists = calls.filter((call) => isPage(call) && !call.path.includes(':'))

// Aliases repeat a field of the row and are not exported.
const repeatedColumns = new Set(['isActive', 'createdAt', 'updatedAt'])
// The time of the figures differs in each answer.
const timeColumn = 'time'

describe.each(lists.map((call) => [call.path, call] as const))('%s as a file', (path, call) => {
  test('an export holds the rows of all pages of its list, in both formats', async () => {
    const as = path.startsWith('/api/user/') ? person : admin
    const rows = await readAllPages(product.app, as, path)
    expect(rows.length, 'rows to compare').toBeGreaterThan(path.includes('unmapped') ? 1 : 0)
    const csv = await readCsv(product.app, as, path)
    const still = (cells: string[]) => cells.map((cell, at) => (csv.heading[at] === timeColumn ? '' : cell))
    const expected = rows.map((row) => buildCells({ ...row, [timeColumn]: '' }))
    expect(csv.rows.map(still)).toEqual(
      expected.map((cells) => csv.heading.map((column) => cells.get(column) ?? '')),
    )
    for (const row of rows)
      for (const key of Object.keys(row)) {
        const there = csv.heading.some((column) => column === key || column.startsWith(`${key}_`))
        expect(there, key).toBe(!repeatedColumns.has(key))
      }
    const xlsx = await readXlsx(product.app, as, path)
    expect(xlsx.heading).toEqual(csv.heading)
    expect(xlsx.rows.map(still)).toEqual(csv.rows.map((cells) => still(cells).map(asInWorkbook)))
    expect(csv.name).toMatch(/^[a-z-]+-\d{4}-\d\d-\d\d\.csv$/)
    expect(xlsx.name).toBe(csv.name.replace(/csv$/, 'xlsx'))
  })

  test('an export has the guard of its list, and an unknown format is refused with 422', async () => {
    const get = async (as: Session | null, format: string) =>
      (await callApi(product.app, as, 'GET', `${path}?format=${format}`)).statusCode
    expect(await get(null, 'csv')).toBe(401)
    expect(await get(person, 'csv')).toBe(call.guard === 'admin' ? 403 : 200)
    for (const format of ['pdf', 'CSV', 'csv&format=xlsx', '%00']) expect(await get(admin, format)).toBe(422)
  })

  test('the OpenAPI document describes the export', async () => {
    const document = (await callApi(product.app, admin, 'GET', '/api/openapi.json')).json<{
      paths: Record<
        string,
        { get: { parameters: { name: string }[]; responses: { 200: { content: object } } } }
      >
    }>()
    const { parameters, responses } = document.paths[path.replace(/\/$/, '')]?.get ?? {}
    expect(parameters?.map(({ name }) => name)).toContain('format')
    expect(Object.keys(responses?.[200].content ?? {})).toEqual([
      'application/json',
      'text/csv',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ])
  })
})

const asInWorkbook = (cell: string) =>
  cell === 'true' || cell === 'false' ? cell.toUpperCase() : cell.trim()

describe('Exports', () => {
  const ids = async (as: Session, url: string) => {
    const csv = await readCsv(product.app, as, url)
    const at = csv.heading.findIndex((column) => column === 'id' || column === 'date')
    return csv.rows.map((cells) => cells[at])
  }
  const listIds = async (as: Session, url: string) =>
    (await readAllPages(product.app, as, url, 3)).map((row) => String(row.id ?? row.date))

  test.each([
    '/api/admin/offers/?sort=-price',
    '/api/admin/offers/?search=Чайник&sort=name',
    '/api/admin/status-types/?name=Accepted',
    '/api/admin/leads/?sort=-payout',
    '/api/admin/leads/?start_date=2026-11-03&end_date=2026-11-05&sort=external_id',
    '/api/admin/leads/?column=sold',
    '/api/admin/leads/?search==L&sort=-external_id',
    '/api/user/leads/?sort=payout',
    '/api/parcel/parcels/all?orderno=1002&sort=town',
    '/api/parcel/parcels/search?search=каримова',
    '/api/admin/uploads/?search=Заказы&sort=-size',
    '/api/admin/report/daily?start_date=2026-11-02&end_date=2026-11-04&sort=profit',
    '/api/admin/report/streams?search=поток&sort=name',
    '/api/user/report/daily?sort=date',
  ])('an export has the filters and the sort of its list: %s', async (url) => {
    const as = url.startsWith('/api/user/') ? person : admin
    const expected = await listIds(as, url)
    expect(expected.length).toBeGreaterThan(0)
    expect(await ids(as, `${url}&page=2&per_page=1`)).toEqual(expected)
  })

  test('an export of a person holds only their own rows', async () => {
    for (const path of ['/api/parcel/parcels/all', '/api/parcel/parcels/search']) {
      const personIds = await ids(person, path)
      const allIds = await ids(admin, path)
      expect(personIds.length).toBeGreaterThan(0)
      expect(allIds.length).toBeGreaterThan(personIds.length)
      expect(personIds).toEqual(await listIds(person, path))
    }
    const ownIds = await ids(person, '/api/user/leads/')
    expect(ownIds.length).toBe(5)
    expect(await ids(admin, '/api/user/leads/')).toEqual([])
    expect((await ids(admin, '/api/admin/leads/')).length).toBeGreaterThan(ownIds.length)
  })

  test('an export masks secrets as the list does', async () => {
    const plain = { pass: 'ёж-пароль-0123456789-01', api_key: 'ключ-0123456789-0123456789', token: 'short' }
    await createSample(product.app, admin, sourceCredentials, plain)
    const csv = await readCsv(product.app, admin, '/api/admin/source-credentials/')
    expect(csv.heading).not.toContain('pass')
    const row = new Map(csv.heading.map((column, at) => [column, csv.rows[0]?.[at]]))
    expect([row.get('api_key'), row.get('token')]).toEqual(['ключ…', 's…'])
    expect(JSON.stringify(csv)).not.toContain(plain.pass)
    expect(csv.rows.flat().filter((cell) => cell.startsWith('v1'))).toEqual([])
  })
})
