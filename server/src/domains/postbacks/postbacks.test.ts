import type { Page } from '@karvon/contract/lib/page.ts'
import { postbackParamNames, subParamNames } from '@karvon/contract/postbacks/postbacks.params.ts'
import type { Postback, PostbackAnswer } from '@karvon/contract/postbacks/postbacks.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildTextForm, textFormType } from '../../../test/files.ts'
import { openPostbacks, type Postbacks } from '../../../test/postbacks.ts'

let network: Postbacks
beforeAll(async () => {
  network = await openPostbacks()
})
beforeEach(() => network.newSource())
afterAll(() => network.close())

describe('Postback parameters', () => {
  const usual = { tid: 'n-1', status: 'sold', payout: '12.50' }

  test.each(['tid', 'txn_id', 'transaction_id', 'action_id', 'cnv_id', 'uid'])(
    'the external id of a postback is read from %s',
    async (name) => {
      const { tid: id, ...rest } = usual
      expect((await network.get({ [name]: id, ...rest })).body).toMatchObject({ outcome: 'created' })
      expect(await network.lead('n-1')).toMatchObject({ source_status: 'sold', payout: 12.5, column: 'sold' })
    },
  )

  test.each(['status', 'cnv_status'])('the status of a postback is read from %s', async (name) => {
    await network.get({ tid: '1', [name]: 'sold' })
    expect(await network.lead('1')).toMatchObject({ source_status: 'sold', column: 'sold' })
  })

  test.each([
    ['1', 'accepted'],
    ['2', 'hold'],
    ['3', 'cancel'],
    ['5', 'hold'],
    ['approved', 'accepted'],
    ['DECLINED', 'cancel'],
  ])('the Affise status %s is mapped', async (status, column) => {
    expect((await network.get({ tid: '1', status })).body).toMatchObject({ outcome: 'created', reason: null })
    expect(await network.lead('1')).toMatchObject({ source_status: status, column })
  })

  test.each(['payout', 'revenue', 'sum', 'price', 'goal_value'])('a payout is read from %s', async (name) => {
    await network.get({ tid: '1', status: 'sold', [name]: '1234.5' })
    expect(await network.lead('1')).toMatchObject({ payout: 1234.5, currency: 'UZS' })
  })

  test.each(['currency', 'cnv_currency'])('the currency of a postback is read from %s', async (name) => {
    await network.get({ ...usual, [name]: 'usd' })
    expect(await network.lead('n-1')).toMatchObject({ currency: 'USD' })
  })

  test.each(['subid', 'clickid', 'click_id', 'sub_id', 'click'])('a stream is read from %s', async (name) => {
    const stream = await network.newStream({ name: 'Reels' })
    await network.get({ ...usual, [name]: String(stream) })
    expect(await network.lead('n-1')).toMatchObject({
      stream: { id: stream },
      subs: { click: String(stream) },
    })
  })

  test.each(['token', 'secure', 'key'])('the secret of a postback is read from %s', async (name) => {
    expect((await network.get({ ...usual, [name]: 'guess' })).status).toBe(403)
    expect((await network.get({ ...usual, [name]: network.key })).body).toMatchObject({ outcome: 'created' })
    const { items } = await network.log()
    expect(items.map(({ outcome, reason, params }) => [outcome, reason, params[name]])).toEqual([
      ['created', null, '…'],
      ['refused', 'bad_secret', '…'],
    ])
    expect(JSON.stringify(items)).not.toContain(network.key)
  })

  test('the first parameter of a postback with a value counts, and empty ones are ignored', async () => {
    await network.get({ cnv_id: 'last', txn_id: 'second', tid: '', status: '', cnv_status: 'sold' })
    expect(await network.lead('second')).toMatchObject({ source_status: 'sold' })
  })

  test('the sub parameters, the offer, the comment and the goal of a postback are stored with the lead', async () => {
    const subs = Object.fromEntries(subParamNames.map((name) => [name, `value of ${name} ы`]))
    const offer = { offer_id: '77', offer_name: 'Soat', comment: 'Позвонить', goal: '2', click: 'nobody' }
    await network.get({ ...usual, ...subs, ...offer })
    expect(await network.lead('n-1')).toMatchObject({
      offer: { name: 'Soat' },
      comment: 'Позвонить',
      subs: { ...subs, goal: '2', click: 'nobody' },
    })
    expect(subParamNames).toHaveLength(15)
  })

  test.each([
    ['2026-11-20T23:30:00+05:00', '2026-11-20'],
    ['2026-11-20T23:30:00Z', '2026-11-21'],
    ['2026-11-20 23:30:00', '2026-11-20'],
    ['1795199400', '2026-11-20'],
    ['1795199400.5', '2026-11-20'],
    ['1795199400000', '2026-11-20'],
  ])('the time of creation of a postback is read from %s', async (created_at, day) => {
    await network.get({ ...usual, created_at })
    expect(await network.lead('n-1')).toMatchObject({ day })
  })

  test('a time of a postback with an unencoded + is read', async () => {
    await network.send('GET', '?tid=1&status=sold&created_at=2026-11-20T23:30:00+03:00')
    expect(await network.lead('1')).toMatchObject({ created_at: '2026-11-21T01:30:00+05:00' })
  })

  test('a payout of a postback with trailing zeros or a comma is read', async () => {
    await network.get({ ...usual, payout: '12.5000' })
    await network.get({ ...usual, tid: 'n-2', payout: '1 200,5' })
    expect([(await network.lead('n-1'))?.payout, (await network.lead('n-2'))?.payout]).toEqual([12.5, 1200.5])
  })
})

describe('Request formats', () => {
  const params = { tid: '7', status: 'sold', payout: '5.25', sub1: 'ы & =' }
  const encodedParams = new URLSearchParams(params).toString()
  const form = 'application/x-www-form-urlencoded'

  test.each([
    ['GET', `?${encodedParams}`, undefined, undefined],
    ['GET', `/?${encodedParams}`, undefined, undefined],
    ['POST', `?${encodedParams}`, undefined, undefined],
    ['POST', '', form, encodedParams],
    ['POST', '', 'application/json', JSON.stringify({ ...params, payout: 5.25, tid: 7, goal: null })],
    ['POST', '', textFormType, buildTextForm(Object.entries(params))],
    ['POST', '?tid=8&status=trash&payout=1', form, encodedParams],
    ['POST', '?tid=7&status=sold', form, 'tid=&payout=5.25&sub1=%D1%8B+%26+%3D'],
  ] as const)('a postback is accepted as %s %s %s', async (method, address, type, payload) => {
    const { status, body } = await network.send(method, address, type, payload)
    expect([status, body.outcome, body.reason]).toEqual([200, 'created', null])
    const lead = await network.lead('7')
    const subs = { sub1: 'ы & =' }
    expect(lead).toMatchObject({ id: body.lead_id, source_status: 'sold', payout: 5.25, subs })
    const { items } = await network.log()
    expect(items).toMatchObject([
      {
        method,
        address: '127.0.0.1',
        source: { id: network.source },
        external_id: '7',
        source_status: 'sold',
        outcome: 'created',
        reason: null,
        lead_id: body.lead_id,
        replayed_at: null,
        params: { tid: '7', status: 'sold', sub1: 'ы & =' },
      },
    ])
  })

  test('a HEAD request to the address of postbacks is refused with 405 and stores nothing', async () => {
    const url = `/api/postback/${network.key}?${encodedParams}`
    const { statusCode, headers } = await network.product.app.inject({ method: 'HEAD', url })
    expect([statusCode, headers.allow]).toEqual([405, 'GET, POST'])
    expect((await network.log()).meta.total).toBe(0)
  })
})

describe('Known leads', () => {
  test('a repeated postback changes nothing', async () => {
    await network.get({ tid: '1', status: 'sold', payout: '5' })
    const before = await network.lead('1')
    const again = await network.get({ tid: '1', status: 'SOLD', payout: '5' })
    expect(again).toEqual({
      status: 200,
      body: {
        outcome: 'unchanged',
        lead_id: before?.id ?? null,
        reason: 'duplicate',
        detail: 'Already known: nothing changed.',
      } satisfies PostbackAnswer,
    })
    expect(await network.lead('1')).toEqual(before)
  })

  test('a repeated postback with its time in another spelling changes nothing', async () => {
    const params = { tid: '1', status: 'sold', payout: '5' }
    await network.get({ ...params, created_at: '2026-11-20 10:00:00' })
    const before = await network.lead('1')
    for (const created_at of ['2026-11-20T05:00:00Z', '1795150800', '2026-11-20T10:00:00+05:00'])
      expect((await network.get({ ...params, created_at })).body.outcome, created_at).toBe('unchanged')
    expect(await network.lead('1')).toEqual(before)
    expect((await network.get({ ...params, created_at: '2026-11-19T10:00:00Z' })).body.outcome).toBe(
      'updated',
    )
    expect(await network.lead('1')).toMatchObject({ day: '2026-11-19' })
  })

  test('a postback with a new status updates the lead and keeps its money, day and offer', async () => {
    const createdAt = '2026-11-01T10:00:00+05:00'
    await network.get({
      tid: '1',
      status: 'hold',
      payout: '5',
      currency: 'USD',
      offer: 'Soat',
      created_at: createdAt,
    })
    expect((await network.get({ tid: '1', status: 'sold' })).body).toMatchObject({
      outcome: 'updated',
      reason: null,
    })
    expect(await network.lead('1')).toMatchObject({
      source_status: 'sold',
      payout: 5,
      currency: 'USD',
      day: '2026-11-01',
      offer: { name: 'Soat' },
    })
    expect((await network.get({ tid: '1', status: 'sold', payout: '6' })).body).toMatchObject({
      outcome: 'updated',
    })
    expect(await network.lead('1')).toMatchObject({ payout: 6, currency: 'USD' })
  })

  test('a postback with an older state changes nothing', async () => {
    await network.get({
      tid: '1',
      status: 'sold',
      created_at: '2026-11-01',
      updated_at: '2026-11-05T10:00:00Z',
    })
    const late = await network.get({ tid: '1', status: 'hold', updated_at: '2026-11-04T10:00:00Z' })
    expect(late.body).toMatchObject({ outcome: 'unchanged', reason: 'older_state' })
    const updated_at = '2026-11-05T15:00:00+05:00'
    expect(await network.lead('1')).toMatchObject({ source_status: 'sold', updated_at })
  })

  test('twelve simultaneous equal postbacks make one lead with one history entry', async () => {
    const params = { tid: '1', status: 'sold', payout: '5' }
    const answers = await Promise.all(Array.from({ length: 12 }, () => network.get(params)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.map(({ body }) => body.outcome).toSorted()).toEqual([
      'created',
      ...Array<string>(11).fill('unchanged'),
    ])
    expect(new Set(answers.map(({ body }) => body.lead_id)).size).toBe(1)
    expect(await network.history('1')).toEqual(['sold'])
    expect((await network.log()).meta.total).toBe(12)
  })

  test('the payout of one of two simultaneous postbacks is kept', async () => {
    for (let round = 0; round < 15; round++) {
      const tid = String(round)
      await Promise.all([
        network.get({ tid, status: 'sold', payout: '7' }),
        network.get({ tid, status: 'sold' }),
      ])
      expect(await network.lead(tid), tid).toMatchObject({ payout: 7 })
    }
  })

  test('equal external ids of two sources are two leads', async () => {
    await network.get({ tid: '1', status: 'sold' })
    await network.newSource()
    expect((await network.get({ tid: '1', status: 'sold' })).body).toMatchObject({ outcome: 'created' })
  })
})

describe('Streams of postbacks', () => {
  test('a stream is found by our id, then the id of the network, then its name, only in its own source', async () => {
    const first = await network.newStream({ name: 'Same' })
    const next = await network.newStream({ name: String(first), extra_id: 'Same' })
    const last = await network.newStream({ name: 'Other' })
    const find = async (click: string) => {
      await network.get({ tid: `of ${click}`, status: 'sold', click })
      return (await network.lead(`of ${click}`))?.stream?.id ?? null
    }
    expect([await find(String(first)), await find('Same'), await find('Other')]).toEqual([first, next, last])
    await network.newSource()
    expect([await find(String(first)), await find('Other')]).toEqual([null, null])
  })

  test('the id distinguishes two streams of one name', async () => {
    await network.newStream({ name: 'Twin' })
    const second = await network.newStream({ name: 'Twin' })
    await network.get({ tid: '1', status: 'sold', click: String(second) })
    expect(await network.lead('1')).toMatchObject({ stream: { id: second } })
  })

  test('an unknown stream is reported in the answer and not created', async () => {
    const { status, body } = await network.get({ tid: '1', status: 'sold', click: 'Unknown' })
    expect([status, body.outcome, body.reason]).toEqual([200, 'created', 'unknown_stream'])
    expect(body.detail).toContain('Unknown')
    expect(await network.lead('1')).toMatchObject({ stream: null, subs: { click: 'Unknown' } })
    const url = `/api/admin/streams/?source_id=${network.source}`
    expect((await network.admin<Page<Postback>>('GET', url)).meta.filtered_total).toBe(0)
  })
})

test('the parameter names of postbacks are those of the contract', () => {
  const { click, external_id, status, payout, currency, secret } = postbackParamNames
  expect([click, external_id, status, payout, currency, secret].map((names) => names.length)).toEqual([
    5, 6, 2, 5, 2, 3,
  ])
})
