import { postbackParamNames } from '@karvon/contract/postbacks/postbacks.params.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Postback } from '@karvon/contract/postbacks/postbacks.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildTextForm, textFormType } from '../../../test/files.ts'
import { openPostbacks, type Postbacks } from '../../../test/postbacks.ts'

let network: Postbacks
beforeAll(async () => {
  network = await openPostbacks()
})
beforeEach(() => network.newSource())
afterAll(() => network.close())

const leads = async () =>
  (await network.admin<Page<unknown>>('GET', `/api/admin/leads/?source_id=${network.source}`)).meta
    .filtered_total
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const twoStatuses = buildTextForm(new URLSearchParams('tid=1&status=sold&status=trash'))

describe('Refused postbacks', () => {
  const long = 'x'.repeat(10_000)
  const good = { tid: '1', status: 'sold' }

  test.each([
    ['without the network’s id', { status: 'sold' }, 'missing_value', 'tid'],
    ['without a status', { tid: '1' }, 'missing_value', 'status'],
    ['without anything', {}, 'missing_value', 'tid'],
    ['with invisible values', { tid: '\u200B', status: '\u3164' }, 'missing_value', 'tid'],
    ['with an update time in the future', { ...good, updated_at: '2200-01-01' }, 'bad_value', 'updated_at'],
    ['with a creation time in the future', { ...good, created_at: '2200-01-01' }, 'bad_value', 'created_at'],
    ['with blank values', { tid: '  ', status: ' ' }, 'missing_value', 'tid'],
    ['with money that is not a number', { ...good, payout: '5 dollars' }, 'bad_value', 'payout'],
    ['with negative money', { ...good, revenue: '-5' }, 'bad_value', 'revenue'],
    ['with money out of range', { ...good, sum: '1e400' }, 'bad_value', 'sum'],
    ['with money that may be thousands', { ...good, payout: '25,000' }, 'bad_value', 'payout'],
    ['with money of three decimals', { ...good, price: '0.125' }, 'bad_value', 'price'],
    ['with too much money', { ...good, payout: '9'.repeat(16) }, 'bad_value', 'payout'],
    ['with an unknown currency', { ...good, currency: 'сум' }, 'bad_value', 'currency'],
    ['with a currency that does not exist', { ...good, currency: 'ABC' }, 'bad_value', 'currency'],
    ['with a day that does not exist', { ...good, created_at: '2026-02-30' }, 'bad_value', 'created_at'],
    ['with a time out of range', { ...good, updated_at: '99999999999999' }, 'bad_value', 'updated_at'],
    ['with too long an id', { ...good, tid: long }, 'bad_value', 'tid'],
    ['with too long a status', { ...good, status: long }, 'bad_value', 'status'],
    ['with too long a click', { ...good, click: long }, 'bad_value', 'click'],
    ['with too long a sub', { ...good, sub15: long }, 'bad_value', 'sub15'],
    ['with too long a comment', { ...good, comment: long }, 'bad_value', 'comment'],
    ['with too long an offer', { ...good, offer_id: long }, 'bad_value', 'offer_id'],
  ])('a postback %s is refused and logged', async (_name, params, reason, field) => {
    const { status, body } = await network.get(params)
    expect([status, body.outcome, body.reason, body.code, body.lead_id]).toEqual([
      422,
      'refused',
      reason,
      'invalid',
      null,
    ])
    expect(body.errors?.[0]?.field).toBe(field)
    expect(body.detail).toContain(field)
    const { items } = await network.log()
    expect(items).toMatchObject([{ outcome: 'refused', reason, detail: body.detail, lead_id: null }])
    expect(JSON.stringify(items).length).toBeLessThan(7000)
    expect(await leads()).toBe(0)
  })

  test.each([
    [
      'a name twice, with two values',
      'GET',
      '?tid=1&status=sold&status=trash',
      undefined,
      undefined,
      'bad_value',
    ],
    [
      'a field of a form twice, with two values',
      'POST',
      '',
      form,
      'tid=1&status=sold&payout=5&payout=7',
      'bad_value',
    ],
    ['a part of a multipart form twice, with two values', 'POST', '', textFormType, twoStatuses, 'bad_value'],
    ['NUL in one of two values of a form', 'POST', '', form, 'tid=1&tid=2%00&status=sold', 'malformed'],
    ['a list', 'POST', '', json, '{"tid":["1"],"status":"sold"}', 'bad_value'],
    ['an object', 'POST', '', json, '{"tid":{"a":1},"status":"sold"}', 'bad_value'],
    ['an id in another encoding', 'GET', '?tid=%CF%F0&status=sold', undefined, undefined, 'bad_value'],
    ['a macro for its id', 'GET', '?tid=%7Btid%7D&status=sold', undefined, undefined, 'bad_value'],
    ['a macro for its status', 'POST', '', form, 'tid=1&status={{lead.status}}', 'bad_value'],
    ['NUL in the address', 'GET', '?tid=1%00&status=sold', undefined, undefined, 'malformed'],
    ['NUL in a form', 'POST', '', form, 'tid=1%00&status=sold', 'malformed'],
    ['NUL in JSON', 'POST', '', json, String.raw`{"tid":"1\u0000","status":"sold"}`, 'malformed'],
    ['half a pair in JSON', 'POST', '', json, String.raw`{"tid":"1\ud800","status":"sold"}`, 'malformed'],
    ['broken JSON', 'POST', '?tid=1&status=sold', json, '{"tid":', 'malformed'],
    ['JSON that is a list', 'POST', '', json, '[1]', 'malformed'],
    ['JSON that is text', 'POST', '', json, '"tid=1"', 'malformed'],
    ['deep JSON', 'POST', '', json, `{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'malformed'],
    ['a broken multipart', 'POST', '', 'multipart/form-data; boundary=x', '--x\r\nbroken', 'malformed'],
    [
      'a kind of body that nobody reads',
      'POST',
      '?tid=1&status=sold',
      'text/xml',
      '<tid>1</tid>',
      'malformed',
    ],
    [
      'a body without an end',
      'POST',
      '',
      form,
      `tid=1&status=sold&comment=${'x'.repeat(1_100_000)}`,
      'malformed',
    ],
  ] as const)(
    'a request with %s is refused and logged',
    async (_name, method, address, type, payload, reason) => {
      const { status, body } = await network.send(method, address, type, payload)
      expect([400, 413, 415, 422], JSON.stringify(body)).toContain(status)
      const { items } = await network.log()
      expect(items).toMatchObject([{ outcome: 'refused', reason, detail: body.detail, lead_id: null }])
      expect(await leads()).toBe(0)
    },
  )

  test('a postback to an inactive source is refused with 409 and logged', async () => {
    await network.admin('PUT', `/api/admin/cpa-sources/${network.source}/`, { is_active: false })
    const { status, body } = await network.get(good)
    expect([status, body.outcome, body.reason, body.code]).toEqual([
      409,
      'refused',
      'inactive_source',
      'source_switched_off',
    ])
    expect((await network.log()).items).toMatchObject([
      { reason: 'inactive_source', external_id: '1', source_status: 'sold' },
    ])
  })
})

describe('Harmless postbacks', () => {
  test.each([
    ['a name twice, with one value', 'GET', '?tid=1&tid=1&status=sold', undefined, undefined],
    ['a field of a form twice, with one value', 'POST', '', form, 'tid=1&tid=1&status=sold&payout=&payout=0'],
    [
      'a name that is none of ours, many times',
      'GET',
      '?tid=1&status=sold&x[]=1&x[]=2&x=3',
      undefined,
      undefined,
    ],
    [
      'names of a prototype',
      'GET',
      '?tid=1&status=sold&__proto__=a&constructor=b&toString=c',
      undefined,
      undefined,
    ],
    [
      'a prototype in JSON',
      'POST',
      '',
      json,
      '{"tid":"1","status":"sold","__proto__":{"payout":"9"},"constructor":{"prototype":{"payout":"9"}}}',
    ],
    ['a prototype in a form', 'POST', '', form, 'tid=1&status=sold&__proto__=9&hasOwnProperty=1'],
    [
      'a comment of a form in another encoding',
      'POST',
      '',
      form,
      Buffer.from('tid=1&status=sold&comment=\xcf\xf0', 'latin1'),
    ],
    ['a comment in another encoding', 'GET', '?tid=1&status=sold&comment=%CF%F0%E8', undefined, undefined],
    ['a value that is no UTF-8 and no hex', 'GET', '?tid=1&status=sold&other=%zz%', undefined, undefined],
    [
      'NUL under a name that is none of ours',
      'GET',
      '?tid=1&status=sold&other=%00&%00=1',
      undefined,
      undefined,
    ],
    [
      'SQL and markup',
      'GET',
      `?tid=1&status=sold&comment=${encodeURIComponent(`'); drop table leads; -- <script>`)}`,
      undefined,
      undefined,
    ],
    [
      'a very long value of another parameter',
      'GET',
      `?tid=1&status=sold&other=${'x'.repeat(10_000)}`,
      undefined,
      undefined,
    ],
  ] as const)('a postback with %s is accepted', async (_name, method, address, type, payload) => {
    const { status, body } = await network.send(method, address, type, payload)
    expect([status, body.outcome], JSON.stringify(body)).toEqual([200, 'created'])
    expect(await network.lead('1')).toMatchObject({ source_status: 'sold', payout: 0 })
    expect((await network.log()).items).toMatchObject([
      { outcome: 'created', params: { tid: '1', status: 'sold' } },
    ])
  })

  test('a postback with a thousand unknown parameters is accepted, and the log keeps some of them', async () => {
    const otherParams = Array.from({ length: 1000 }, (_, n) => [`other${n}`, 'value'])
    await network.send(
      'POST',
      '',
      json,
      JSON.stringify({ ...Object.fromEntries(otherParams), tid: '1', status: 'sold' }),
    )
    const { items } = await network.log()
    expect(items).toMatchObject([{ params: { tid: '1', status: 'sold', other0: 'value' } }])
    expect(Object.keys(items[0]?.params ?? {}).length).toBeLessThan(500)
  })
})

describe('Postback keys', () => {
  const listUnknownSources = async () =>
    (
      await network.admin<Page<Postback>>('GET', '/api/admin/postbacks/?reason=bad_secret&per_page=200')
    ).items.filter(({ source }) => source === null)

  test('a wrong key is refused without a log row, and many wrong keys are slowed down', async () => {
    const { key } = network
    const params = { tid: '1', status: 'sold', token: key, other: 'x' }
    for (const wrong of [
      `${key}x`,
      key.slice(1),
      key.toUpperCase(),
      '0',
      '%00',
      '..%2f',
      'ы',
      'x'.repeat(90),
    ]) {
      const { status, body } = await network.get(params, encodeURI(wrong).replaceAll('%25', '%'))
      expect([404, 422], wrong).toContain(status)
      if (status === 404)
        expect(body).toMatchObject({
          outcome: 'refused',
          reason: 'bad_secret',
          code: 'postback_key_unknown',
          lead_id: null,
        })
    }
    const [first] = await listUnknownSources()
    expect(first).toMatchObject({ outcome: 'refused', params: { tid: '1', token: '…', other: 'x' } })
    const answers = await Promise.all(Array.from({ length: 100 }, () => network.get(params, 'nobody')))
    const answersByStatus = Map.groupBy(answers, ({ status }) => status)
    expect(new Set(answersByStatus.keys())).toEqual(new Set([404, 429]))
    expect(answersByStatus.get(429)?.length).toBeGreaterThanOrEqual(40)
    expect((await listUnknownSources()).length).toBeLessThanOrEqual(60)
    // Requests with unknown keys do not slow down a request with the right key.
    expect((await network.get({ tid: '1', status: 'sold' })).status).toBe(200)
    expect(await leads()).toBe(1)
  })

  test('the key is never in the log, under any parameter name', async () => {
    const { key } = network
    const names = [...postbackParamNames.secret, 'Token', 'secret', 'sub1', 'comment']
    await network.get({
      tid: '1',
      status: 'sold',
      ...Object.fromEntries(names.map((name) => [name, name === 'Token' ? 'other' : key])),
    })
    const { items } = await network.log()
    expect(items).toMatchObject([{ params: Object.fromEntries(names.map((name) => [name, '…'])) }])
    const { rows } = await network.product.deps.pool.query<{ row: string }>(
      'select postbacks::text as row from postbacks',
    )
    expect(rows.filter(({ row }) => row.includes(key))).toEqual([])
  })
})

test('ids of 19 digits in a JSON body stay exact, so that two leads stay two', async () => {
  for (const id of ['1234567890123456781', '1234567890123456782']) {
    const text = `{"tid": ${id}, "status": "sold", "payout": 5.25}`
    const { body } = await network.send('POST', '', 'application/json', text)
    expect([body.outcome, body.reason]).toEqual(['created', null])
    expect(await network.lead(id)).toMatchObject({ external_id: id, payout: 5.25 })
  }
})

test('an older postback that has another currency is answered as older, not as a duplicate', async () => {
  const newer = {
    tid: '1',
    status: 'sold',
    payout: '100',
    currency: 'UZS',
    updated_at: '2026-11-20T10:00:00Z',
  }
  await network.get(newer)
  const { body } = await network.get({ ...newer, currency: 'USD', updated_at: '2026-11-20T09:00:00Z' })
  expect(body).toMatchObject({ outcome: 'unchanged', reason: 'older_state' })
  expect(await network.lead('1')).toMatchObject({ payout: 100, currency: 'UZS' })
})
