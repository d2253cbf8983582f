import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBuyer, type Buyer } from '../../../test/buyer.ts'
import { now } from '../../../test/moment.ts'
import { outgoingPostbacksJob } from './outgoing-postbacks.job.ts'

let buyer: Buyer
beforeAll(async () => {
  buyer = await openBuyer()
})
beforeEach(async () => {
  await buyer.product.deps.pool.query('delete from outgoing_postbacks')
  await buyer.newStream()
})
afterAll(() => buyer.close())

const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00+05:00`
const states = async () => (await buyer.log()).map(({ source_status, status }) => [source_status, status])

describe('URLs of outgoing postbacks', () => {
  test('the URL of an outgoing postback has the encoded values of the lead, and nothing for unknown macros', async () => {
    const macros =
      'status source_status payout currency lead_id offer_id offer_name stream_id date timestamp sub1 sub15 click sub2 nobody'
    const query = macros.split(' ').map((name) => `${name}={${name}}`)
    await buyer.addTemplate('/')
    // An old template may have an unknown macro.
    const url = `${buyer.tracker.url}/{STATUS}/{lead_id}?${query.join('&')}&own=1`
    await buyer.product.deps.pool.query('update postback_templates set url = $1', [url])
    await buyer.ingest({
      external_id: 'A/1 &?#',
      source_status: 'Delivered',
      payout: '1234567890123.50',
      currency: 'USD',
      created_at: '2026-11-20T20:00:00Z',
      updated_at: '2026-11-20T20:30:00Z',
      offer: 'Чайник & Co',
      subs: { sub1: 'a=b&c', sub15: 'ы', click: '../../x' },
    })
    await buyer.runJob()
    const [row] = await buyer.log()
    const { rows } = await buyer.product.deps.pool.query(`select id from offers where name = 'Чайник & Co'`)
    expect(buyer.tracker.requests).toEqual([
      {
        path: '/sold/A%2F1%20%26%3F%23',
        params: {
          status: 'sold',
          source_status: 'Delivered',
          payout: '1234567890123.5',
          currency: 'USD',
          lead_id: 'A/1 &?#',
          offer_id: String(rows[0]?.id),
          offer_name: 'Чайник & Co',
          stream_id: String(buyer.streamId),
          // One day and a half hour later in Tashkent.
          date: '2026-11-21',
          timestamp: String(Date.parse('2026-11-20T20:30:00Z') / 1000),
          sub1: 'a=b&c',
          sub15: 'ы',
          click: '../../x',
          sub2: '',
          nobody: '',
          own: '1',
        },
        url: expect.any(String),
        isCounted: true,
      },
    ])
    expect(row).toMatchObject({
      status: 'sent',
      attempts: 1,
      answer: 200,
      last_error: null,
      next_at: null,
      state: 'sold',
      source_status: 'Delivered',
      lead: { external_id: 'A/1 &?#' },
      url: buyer.tracker.url + buyer.tracker.requests[0]?.url,
    })
    expect(now() - Date.parse(row?.sent_at ?? '')).toBeLessThan(10_000)
  })

  test('the macro {status} is the source status if the state has no report column', async () => {
    await buyer.addTemplate('/?s={status}')
    await buyer.ingest({ external_id: '1', source_status: 'Кто знает' })
    await buyer.runJob()
    expect(buyer.tracker.requests[0]?.params).toEqual({ s: 'Кто знает' })
    expect((await buyer.log())[0]).toMatchObject({ state: null, source_status: 'Кто знает', status: 'sent' })
  })

  test('a change is sent to each active template of the stream that waits for its state', async () => {
    await buyer.addTemplate('/any?s={status}')
    await buyer.addTemplate('/sold?s={status}', { state: 'sold' })
    await buyer.addTemplate('/off?s={status}', { is_active: false })
    await buyer.ingest({ external_id: '1', source_status: 'sent', updated_at: at(12) })
    await buyer.ingest({ external_id: '1', source_status: 'sold', updated_at: at(13) })
    await buyer.runJob()
    expect(buyer.tracker.requests.map(({ url }) => url).toSorted()).toEqual([
      '/any?s=send',
      '/any?s=sold',
      '/sold?s=sold',
    ])
  })

  test('a URL equal to the last one sent for the lead is not sent again', async () => {
    await buyer.addTemplate('/?s={status}&id={lead_id}')
    for (const [hour, source_status] of ['sent', 'delivered', 'sold', 'cancelled', 'sold'].entries())
      await buyer.ingest({ external_id: '1', source_status, updated_at: at(hour) })
    await buyer.ingest({ external_id: '2', source_status: 'sold', updated_at: at(9) })
    await buyer.runJob()
    expect(await states()).toEqual([
      ['sent', 'sent'],
      ['delivered', 'sent'],
      ['sold', 'same'],
      ['cancelled', 'sent'],
      ['sold', 'sent'],
      ['sold', 'sent'],
    ])
    const of = (id: string) => buyer.tracker.requests.filter(({ params }) => params['id'] === id)
    expect(of('1').map(({ params }) => params['s'])).toEqual(['send', 'sold', 'cancel', 'sold'])
    expect(of('2')).toHaveLength(1)
    const [sameRow] = await buyer.log('status=same')
    expect(sameRow).toMatchObject({ attempts: 0, answer: null, sent_at: null, last_error: null })
    expect(sameRow?.url).toBe(`${buyer.tracker.url}/?s=sold&id=1`)
  })

  test('postbacks of a lead are sent in the order of its changes, although an earlier one must wait', async () => {
    await buyer.addTemplate('/?s={status}')
    await buyer.ingest({ external_id: '1', source_status: 'sent', updated_at: at(1) })
    buyer.tracker.mode = 'broken'
    await buyer.runJob()
    buyer.tracker.mode = 'ok'
    await buyer.ingest({ external_id: '1', source_status: 'sold', updated_at: at(2) })
    // The first one is not due again yet, and the second waits for it.
    await buyer.runJob('asIs')
    expect(await states()).toEqual([
      ['sent', 'queued'],
      ['sold', 'queued'],
    ])
    await buyer.runJob()
    expect(
      buyer.tracker.requests.filter(({ isCounted }) => isCounted).map(({ params }) => params['s']),
    ).toEqual(['send', 'sold'])
  })
})

describe('Trackers', () => {
  const once = async (mode: Buyer['tracker']['mode']) => {
    const { id } = await buyer.addTemplate('/?s={status}')
    await buyer.ingest({ external_id: '1', source_status: 'sold' })
    buyer.tracker.mode = mode
    const sentAt = now()
    await buyer.runJob()
    return { id, row: (await buyer.log())[0], sentAt, elapsed: (now() - sentAt) / 1000 }
  }
  const wait = (row: { next_at: string | null } | undefined, from = now()) =>
    Math.round((Date.parse(row?.next_at ?? '') - from) / 1000)

  test.each([
    ['broken', 500, 'The tracker answered 500.'],
    ['drop', null, '127.0.0.1 gave no usable answer (ECONNRESET).'],
  ] as const)('a tracker that is %s is tried again', async (mode, answer, last_error) => {
    const { row, sentAt, elapsed } = await once(mode)
    expect(row).toMatchObject({ status: 'queued', attempts: 1, answer, last_error, sent_at: null })
    expect(wait(row, sentAt)).toBeGreaterThanOrEqual(30)
    expect(wait(row, sentAt)).toBeLessThanOrEqual(30 + Math.ceil(elapsed))
    buyer.tracker.mode = 'ok'
    await buyer.runJob()
    expect((await buyer.log())[0]).toMatchObject({
      status: 'sent',
      attempts: 2,
      answer: 200,
      last_error: null,
    })
  })

  test.each(['busy', 'busy_until'] as const)(
    'a tracker that is %s gets no request for as long as it asks',
    async (mode) => {
      buyer.tracker.retryAfterSeconds = 120
      const { row } = await once(mode)
      expect(row).toMatchObject({
        status: 'queued',
        attempts: 0,
        answer: 429,
        last_error: expect.stringMatching(/^The tracker answered 429 and asked to wait 1(20|1\d) s\.$/),
      })
      expect(wait(row)).toBeGreaterThan(110)
    },
  )

  test('a busy tracker delays its own postbacks, and no others', async () => {
    const { deps } = buyer.product
    const job = outgoingPostbacksJob(deps)
    const run = () => job.run(new AbortController().signal)
    await buyer.addTemplate('/busy?id={lead_id}')
    await buyer.addTemplate('/fine?id={lead_id}')
    buyer.tracker.modes.set('/busy', 'busy')
    await buyer.ingest({ external_id: '1', source_status: 'sold' })
    await run()
    for (const external_id of ['2', '3']) await buyer.ingest({ external_id, source_status: 'sold' })
    await run()
    const received = buyer.tracker.requests.map(({ path, params }) => `${path} ${params['id']}`)
    expect(received.toSorted()).toEqual(['/busy 1', '/fine 1', '/fine 2', '/fine 3'])
  })

  test('a postback is refused after ten attempts with growing waits', async () => {
    await once('broken')
    const waits = [wait((await buyer.log())[0])]
    for (let i = 2; i <= 9; i += 1) {
      await buyer.runJob()
      waits.push(wait((await buyer.log())[0]))
    }
    expect(waits.map((seconds) => Math.ceil(seconds / 30) * 30)).toEqual([
      30, 60, 120, 240, 480, 960, 1920, 3600, 3600,
    ])
    await buyer.runJob()
    expect((await buyer.log())[0]).toMatchObject({ status: 'refused', attempts: 10, answer: 500 })
    await buyer.runJob()
    expect(buyer.tracker.requests).toHaveLength(10)
  })

  test.each([
    ['unknown', 404, 'The tracker answered 404.'],
    [
      'redirect',
      null,
      '127.0.0.1 answered with the redirect 302. Karvon follows no redirect. Use the address that it leads to.',
    ],
  ] as const)('a tracker that answers %s is not asked twice', async (mode, answer, last_error) => {
    const { row } = await once(mode)
    expect(row).toMatchObject({ status: 'refused', attempts: 1, answer, last_error })
    buyer.tracker.mode = 'ok'
    await buyer.runJob()
    expect(buyer.tracker.requests).toHaveLength(1)
  })

  test('a silent tracker fails after ten seconds and delays no other', async () => {
    await buyer.addTemplate('/hang?id={lead_id}')
    await buyer.addTemplate('/fine?id={lead_id}')
    buyer.tracker.modes.set('/hang', 'hang')
    const ids = Array.from({ length: 30 }, (_, n) => ({ external_id: String(n), source_status: 'sold' }))
    await buyer.ingest(...ids)
    const job = outgoingPostbacksJob(buyer.product.deps)
    const stopping = new AbortController()
    const startTime = performance.now()
    const running = job.run(stopping.signal)
    await expect.poll(() => buyer.tracker.requests.filter(({ path }) => path === '/fine').length).toBe(30)
    const givenUp = (await buyer.log('status=queued')).filter(({ attempts }) => attempts === 1)
    expect(givenUp, 'the hanging ones are still waited for').toEqual([])
    // A stopped job finishes the requests in progress.
    stopping.abort()
    await running
    expect(performance.now() - startTime).toBeGreaterThan(9500)
    const hungRows = (await buyer.log('status=queued')).filter(({ attempts }) => attempts === 1)
    expect(hungRows.map(({ last_error }) => last_error)).toEqual(
      Array.from({ length: 4 }, () => '127.0.0.1 did not answer in time.'),
    )
  })
})

describe('Templates', () => {
  test('a disabled or deleted template sends nothing more, and its log stays', async () => {
    const { product, admin } = buyer
    const off = await buyer.addTemplate('/off')
    const deletedTemplate = await buyer.addTemplate('/gone')
    await buyer.ingest({ external_id: '1', source_status: 'sold' })
    await product.app.inject({
      method: 'PUT',
      url: `/api/admin/postback-templates/${off.id}`,
      headers: admin.headers,
      payload: { is_active: false },
    })
    const deletion = await product.app.inject({
      method: 'DELETE',
      url: `/api/admin/postback-templates/${deletedTemplate.id}`,
      headers: admin.headers,
    })
    expect(deletion.statusCode).toBe(200)
    await buyer.runJob()
    expect(await buyer.log()).toMatchObject([
      { status: 'refused', template: { id: off.id }, last_error: 'The template was switched off.' },
      { status: 'refused', template: null, last_error: 'The template was deleted.' },
    ])
    expect(buyer.tracker.requests).toEqual([])
  })

  test('a template whose host is private or no longer allowed is refused without a connection', async () => {
    const { id } = await buyer.addTemplate('/x')
    await buyer.ingest({ external_id: '1', source_status: 'sold' })
    await buyer.product.deps.pool.query('update postback_templates set url = $1 where id = $2', [
      'http://127.0.0.1:1/?token=canary',
      id,
    ])
    await buyer.runJob()
    const [row] = await buyer.log()
    expect(row).toMatchObject({ status: 'refused', attempts: 1, answer: null })
    expect(row?.last_error).toBe(
      'The address must use port 80 or 443, unless KARVON_OUTBOUND_ALLOW names 127.0.0.1:1.',
    )
  })
})
