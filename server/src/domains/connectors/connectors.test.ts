import { connectors } from '@karvon/contract/connectors/connectors.ts'
import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createSample } from '../../../test/sample.ts'
import { builtInConnectors } from './connectors.builtin.ts'
import { findDescriptionProblem } from './connectors.check.ts'
import { buildEffectiveDescription, mergeMembers } from './connectors.merge.ts'
import { parseAmountAt, parseOffers, parseOrders } from './connectors.parse.ts'
import { ensureConnectors } from './connectors.start.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  await ensureConnectors(product.deps.db)
})
afterAll(() => product.close())

interface Row {
  id: number
  code: string
  is_builtin: boolean
}
const list = async () =>
  (await callApi(product.app, admin, 'GET', '/api/admin/connectors/?sort=id')).json<{ items: Row[] }>().items

describe('Connectors', () => {
  test('built-in connectors are updated at each start and cannot be changed', async () => {
    expect((await list()).map(({ code, is_builtin }) => [code, is_builtin])).toEqual([
      ['100k', true],
      ['sotuvchi', true],
      ['generic', true],
    ])
    await product.deps.pool.query(`update connectors set description = '{}' where code = '100k'`)
    await ensureConnectors(product.deps.db)
    const [first] = await list()
    expect(first).toMatchObject({ description: builtInConnectors[0]?.description })
    for (const method of ['PUT', 'DELETE'] as const) {
      const answer = await callApi(product.app, admin, method, `/api/admin/connectors/${first?.id}/`, {
        name: 'Mine',
      })
      expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'built_in_connector' }])
    }
  })

  test('a new connector is stored as data, and a wrong one is refused with the reason', async () => {
    const row = await createSample(product.app, admin, connectors, { code: 'mine' })
    const put = (description: unknown) =>
      callApi(product.app, admin, 'PUT', `/api/admin/connectors/${row.id}/`, { description })
    const wrong = await put({ ...builtInConnectors[2]?.description, orders: { url: '/x', items: 'a' } })
    expect([wrong.statusCode, wrong.json()]).toMatchObject([
      422,
      { detail: expect.stringContaining('orders must have required property') },
    ])
    expect((await put({ typo: {} })).statusCode).toBe(422)
    expect((await put({ base_url: 'x'.repeat(70_000) })).statusCode).toBe(422)
    expect((await put({ headers: { 'X-Key': '{api_key}' } })).statusCode).toBe(200)
    expect((await createSampleCode('Mine')).statusCode).toBe(409)
  })

  test('a connector that a CPA credential names cannot be deleted and keeps its code', async () => {
    const { id } = await createSample(product.app, admin, connectors, { code: 'Used' })
    const website = await createSample(product.app, admin, cpaWebsites, { connector: 'used' })
    const path = `/api/admin/connectors/${id}/`
    const put = (body: object) => callApi(product.app, admin, 'PUT', path, body)
    for (const answer of [await callApi(product.app, admin, 'DELETE', path), await put({ code: 'other' })])
      expect([answer.statusCode, answer.json()]).toMatchObject([
        409,
        { detail: 'Used by 1 CPA credential.', code: 'in_use', params: { cpa_websites: 1 } },
      ])
    expect((await put({ code: 'USED', name: 'Renamed' })).statusCode).toBe(200)
    await callApi(product.app, admin, 'DELETE', `/api/admin/cpa-websites/${website.id}/`)
    expect((await put({ code: 'other' })).statusCode).toBe(200)
    expect((await callApi(product.app, admin, 'DELETE', path)).statusCode).toBe(200)
  })
})

const createSampleCode = (code: string) =>
  callApi(product.app, admin, 'POST', '/api/admin/connectors/', { code, name: 'X', description: {} })

test("a source's mapping replaces parts of the connector, and its addresses replace both", () => {
  const base = {
    base_url: 'https://a',
    orders: { url: '/o', items: 'data', fields: { external_id: 'id', status: 's' } },
  }
  expect(mergeMembers(base, { orders: { fields: { status: 'state' } }, base_url: null })).toEqual({
    orders: { url: '/o', items: 'data', fields: { external_id: 'id', status: 'state' } },
  })
  const addresses = {
    login_url: 'https://b/login',
    finance_url: null,
    orders_url: 'https://b/o',
    offers_url: null,
    streams_url: null,
    single_offer_url: 'https://b/offer/{id}',
    img_url: 'https://pictures',
  }
  expect(buildEffectiveDescription(base, { orders: { items: 'rows' } }, addresses)).toMatchObject({
    base_url: 'https://a',
    orders: { url: 'https://b/o', items: 'rows' },
    images_url: 'https://pictures',
  })
  const offerDescription = {
    offer: { url: '/offer/{id}', item: 'data', fields: { extra_id: 'id', name: 'name' } },
  }
  expect(buildEffectiveDescription({ ...base, ...offerDescription }, null, addresses)).toMatchObject({
    offer: { url: 'https://b/offer/{id}', item: 'data' },
  })
  expect(buildEffectiveDescription(base, null, addresses)).not.toHaveProperty('sign_in')
  expect(findDescriptionProblem(JSON.parse('{"__proto__":{"orders":1}}'))).not.toBeNull()
})

test('the balance of 100k.uz is read with the envelope of the lists and without it', () => {
  const { description } = builtInConnectors.find(({ code }) => code === '100k') ?? {}
  const readAmounts = (answer: unknown) =>
    [description?.finance?.fields.balance, description?.finance?.fields.hold].map((path) =>
      parseAmountAt(description ?? {}, answer, path),
    )
  const profile = { balance: 1200.5, hold_balance: '30' }
  for (const answer of [profile, { data: profile }]) expect(readAmounts(answer)).toEqual(['1200.50', '30.00'])
  expect(readAmounts({ data: { balance: 5 }, hold_balance: 7 })).toEqual(['5.00', '7.00'])
  expect(readAmounts({ data: { balance: null } })).toEqual([null, null])
})

test('a description names a currency of ISO 4217', () => {
  const description = builtInConnectors[0]?.description
  const findProblem = (currency: string) => findDescriptionProblem({ ...description, money: { currency } })
  for (const currency of ['UZS', 'USD', 'RUB', 'KZT', 'KGS', 'TJS']) expect(findProblem(currency)).toBeNull()
  expect(findProblem('ABC')).toContain('money.currency')
})

test('a description sets no header that decides who gets the request, and none that HTTP does not allow', () => {
  const orders = builtInConnectors[0]?.description.orders
  for (const name of ['Host', 'host', 'Transfer-Encoding', 'content-length', 'Connection']) {
    expect(findDescriptionProblem({ headers: { [name]: 'x' } })).toBe(`headers must not have ${name}`)
    const problem = findDescriptionProblem({ orders: { ...orders, headers: { [name]: 'x' } } })
    expect(problem).toBe(`orders.headers must not have ${name}`)
  }
  for (const headers of [{ 'a b': 'x' }, { '': 'x' }, { 'X-Key': 'a\r\nY: b' }, { 'X-Key': 'ж' }])
    expect(findDescriptionProblem({ headers }), JSON.stringify(headers)).toContain('HTTP does not allow')
  expect(findDescriptionProblem({ headers: { 'X-Key': '{api_key}', Cookie: 'a=é' } })).toBeNull()
})

test('a description names an existing time zone', () => {
  for (const zone of ['Asia/Tashkent', 'UTC', 'Etc/GMT-5', '+05:00'])
    expect(findDescriptionProblem({ time: { zone } }), zone).toBeNull()
  for (const zone of ['Mars/Phobos', '', '+99:99', "UTC'; --"])
    expect(findDescriptionProblem({ time: { zone } }), zone).toBe(`time.zone "${zone}" is not a time zone`)
})

test('every built-in connector has a valid description', () => {
  for (const { description } of builtInConnectors) expect(findDescriptionProblem(description)).toBeNull()
})

test("an offer's picture address is absolute or relative to the picture base, and a wrong one is dropped", () => {
  const offer = { url: '', item: '', fields: { extra_id: 'id', name: 'name', image: 'image' } }
  const imageOf = (image: unknown, images?: string) =>
    parseOffers({ base_url: 'https://a.example/api', ...(images && { images_url: images }) }, offer, [
      { id: 1, name: 'Soat', image },
    ]).rows[0]?.image
  expect(imageOf('https://b.example/1.jpg', 'https://c.example')).toBe('https://b.example/1.jpg')
  expect(imageOf('/1.jpg', 'https://c.example/i')).toBe('https://c.example/i/1.jpg')
  expect(imageOf('1.jpg')).toBe('https://a.example/api/1.jpg')
  for (const wrong of [
    'javascript:alert(1)',
    'data:image/png;base64,AA==',
    'file:///etc/passwd',
    null,
    '',
    {},
  ])
    expect(imageOf(wrong)).toBeNull()
})

describe('Network rows', () => {
  const ordersDescription = {
    url: '',
    items: '',
    paging: { by: 'none' as const },
    fields: { external_id: 'id', status: 'state.name', created_at: 'at', payout: 'sum', comment: 'note' },
  }
  const read = (item: unknown, extraDescription: object = {}) =>
    parseOrders({ orders: ordersDescription, ...extraDescription }, ordersDescription, [item])
  const row = { id: 7, state: { name: 'sold' }, at: '2026-11-20T10:00:00.000000Z', sum: '12.345', note: null }

  test("numbers, times and money of a network's row are parsed by the description", () => {
    expect(read(row).rows).toMatchObject([
      {
        external_id: '7',
        status: 'sold',
        payout: '12.35',
        created_at: '2026-11-20 10:00:00.000000Z',
        comment: null,
      },
    ])
    const inHundredths = read(
      { ...row, sum: 1999, at: 1_763_632_800 },
      { money: { divisor: 100 }, time: { unit: 'seconds' } },
    )
    expect(inHundredths.rows).toMatchObject([{ payout: '19.99', created_at: '2025-11-20T10:00:00.000Z' }])
    const zonedOrders = read({ ...row, at: '2026-11-20 10:00:00' }, { time: { zone: 'Europe/Moscow' } })
    expect(zonedOrders.rows).toMatchObject([{ created_at: '2026-11-20 10:00:00 Europe/Moscow' }])
  })

  test.each([
    ['no object', null, 'id is missing, state.name is missing, at is missing'],
    ['no id', { ...row, id: '' }, 'id is missing'],
    ['an object for an id', { ...row, id: {} }, 'id is missing'],
    ['no state', { ...row, state: 'sold' }, 'state.name is missing'],
    ['a wrong time', { ...row, at: '2026-13-01' }, 'at is not a time that exists'],
    ['money below zero', { ...row, sum: -5 }, 'sum must not be negative'],
    ['money that is not a number', { ...row, sum: 'many' }, 'sum is not a number'],
    ['a number without an end', { ...row, sum: 1e300 }, 'sum is not a number'],
    ['an id that is not UTF-8', { ...row, id: 'A\uFFFD' }, 'id is not UTF-8'],
    ['a NUL in its id', { ...row, id: 'A\0B' }, 'id contains a character that cannot be stored'],
  ])('a row with %s is left out and reported', (_, item, problem) => {
    expect(read(item)).toEqual({ rows: [], problems: [problem] })
  })

  test('inherited properties of an object are not read as values', () => {
    expect(read({ ...row, id: undefined, state: [] }).problems).toEqual([
      'id is missing, state.name is missing',
    ])
  })
})

test('a list without an address of its own moves with the addresses of a CPA credential', () => {
  const addresses = {
    login_url: null,
    finance_url: 'https://other.uz/v2/money/me/?lang=uz',
    orders_url: null,
    offers_url: 'https://other.uz/v3/goods',
    streams_url: null,
    single_offer_url: null,
    img_url: null,
  }
  const description = {
    base_url: 'https://network.uz/api',
    finance: { url: '/money/me' },
    transactions: { url: '/money/entries' },
    withdrawals: { url: 'https://bank.uz/paid' },
    offers: { url: '/goods' },
    offer: { url: '/goods/{id}' },
  }
  expect(buildEffectiveDescription(description, null, addresses)).toMatchObject({
    transactions: { url: 'https://other.uz/v2/money/entries' },
    withdrawals: { url: 'https://bank.uz/paid' },
    offer: { url: 'https://other.uz/v3/goods/{id}' },
  })
  const single = { ...addresses, single_offer_url: 'https://third.uz/{id}' }
  expect(buildEffectiveDescription(description, null, single)).toMatchObject({
    offer: { url: 'https://third.uz/{id}' },
  })
  const unchanged = { transactions: { url: '/money/entries' }, offer: { url: '/goods/{id}' } }
  const elsewhere = {
    ...addresses,
    finance_url: 'https://other.uz/profile',
    offers_url: 'https://other.uz/list',
  }
  expect(buildEffectiveDescription(description, null, elsewhere)).toMatchObject(unchanged)
  const base = { base_url: 'https://own.uz' }
  expect(buildEffectiveDescription(description, base, addresses)).toMatchObject({ ...base, ...unchanged })
})
