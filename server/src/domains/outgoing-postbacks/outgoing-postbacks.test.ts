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

describe('what is sent', () => {
  test('is the URL with the lead in it, each value encoded, and nothing for what is not known', async () => {
    const macros =
      'status word payout currency lead_id offer_id offer_name stream_id date timestamp sub1 sub15 click sub2 nobody'
    const query = macros.split(' ').map((name) => `${name}={${name}}`)
    await buyer.template(`/{STATUS}/{lead_id}?${query.join('&')}&own=1`)
    await buyer.tell({
      external_id: 'A/1 &?#',
      source_status: 'Delivered',
      payout: '1234567890123.50',
      currency: 'USD',
      created_at: '2026-11-20T20:00:00Z',
      updated_at: '2026-11-20T20:30:00Z',
      offer: 'Чайник & Co',
      subs: { sub1: 'a=b&c', sub15: 'ы', click: '../../x' },
    })
    await buyer.send()
    const [row] = await buyer.log()
    const { rows } = await buyer.product.deps.pool.query(`select id from offers where name = 'Чайник & Co'`)
    expect(buyer.tracker.requests).toEqual([
      {
        path: '/sold/A%2F1%20%26%3F%23',
        params: {
          status: 'sold',
          word: 'Delivered',
          payout: '1234567890123.5',
          currency: 'USD',
          lead_id: 'A/1 &?#',
          offer_id: String(rows[0]?.id),
          offer_name: 'Чайник & Co',
          stream_id: String(buyer.streamId),
          // A day and a half hour later in Tashkent.
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

  test('says the word for a state that counts in no column', async () => {
    await buyer.template('/?s={status}')
    await buyer.tell({ external_id: '1', source_status: 'Кто знает' })
    await buyer.send()
    expect(buyer.tracker.requests[0]?.params).toEqual({ s: 'Кто знает' })
    expect((await buyer.log())[0]).toMatchObject({ state: null, source_status: 'Кто знает', status: 'sent' })
  })

  test('goes to each template of the stream that waits for the state', async () => {
    await buyer.template('/any?s={status}')
    await buyer.template('/sold?s={status}', { state: 'sold' })
    await buyer.template('/off?s={status}', { is_active: false })
    await buyer.tell({ external_id: '1', source_status: 'sent', updated_at: at(12) })
    await buyer.tell({ external_id: '1', source_status: 'sold', updated_at: at(13) })
    await buyer.send()
    expect(buyer.tracker.requests.map(({ url }) => url).toSorted()).toEqual([
      '/any?s=send',
      '/any?s=sold',
      '/sold?s=sold',
    ])
  })

  test('is not the URL that this tracker was sent last of this lead', async () => {
    await buyer.template('/?s={status}&id={lead_id}')
    for (const [hour, source_status] of ['sent', 'delivered', 'sold', 'cancelled', 'sold'].entries())
      await buyer.tell({ external_id: '1', source_status, updated_at: at(hour) })
    await buyer.tell({ external_id: '2', source_status: 'sold', updated_at: at(9) })
    await buyer.send()
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
    const [same] = await buyer.log('status=same')
    expect(same).toMatchObject({ attempts: 0, answer: null, sent_at: null, last_error: null })
    expect(same?.url).toBe(`${buyer.tracker.url}/?s=sold&id=1`)
  })

  test('is in the order of the changes, although an earlier one has to wait', async () => {
    await buyer.template('/?s={status}')
    await buyer.tell({ external_id: '1', source_status: 'sent', updated_at: at(1) })
    buyer.tracker.mode = 'broken'
    await buyer.send()
    buyer.tracker.mode = 'ok'
    await buyer.tell({ external_id: '1', source_status: 'sold', updated_at: at(2) })
    // The first one is not due again yet, and the second waits for it.
    await buyer.send('asIs')
    expect(await states()).toEqual([
      ['sent', 'queued'],
      ['sold', 'queued'],
    ])
    await buyer.send()
    expect(
      buyer.tracker.requests.filter(({ isCounted }) => isCounted).map(({ params }) => params['s']),
    ).toEqual(['send', 'sold'])
  })
})

describe('a tracker', () => {
  const once = async (mode: Buyer['tracker']['mode']) => {
    const { id } = await buyer.template('/?s={status}')
    await buyer.tell({ external_id: '1', source_status: 'sold' })
    buyer.tracker.mode = mode
    await buyer.send()
    return { id, row: (await buyer.log())[0] }
  }
  const wait = (row: { next_at: string | null } | undefined) =>
    Math.round((Date.parse(row?.next_at ?? '') - now()) / 1000)

  test.each([
    ['broken', 500, 'The tracker answered 500.'],
    ['drop', null, '127.0.0.1 gave no usable answer (ECONNRESET).'],
  ] as const)('that is %s is tried again', async (mode, answer, last_error) => {
    const { row } = await once(mode)
    expect(row).toMatchObject({ status: 'queued', attempts: 1, answer, last_error, sent_at: null })
    expect(wait(row)).toBeGreaterThan(25)
    expect(wait(row)).toBeLessThanOrEqual(30)
    buyer.tracker.mode = 'ok'
    await buyer.send()
    expect((await buyer.log())[0]).toMatchObject({
      status: 'sent',
      attempts: 2,
      answer: 200,
      last_error: null,
    })
  })

  test.each(['busy', 'busy_until'] as const)(
    'that is %s is left alone for as long as it asks',
    async (mode) => {
      buyer.tracker.retryAfterSeconds = 120
      const { row } = await once(mode)
      expect(row).toMatchObject({
        status: 'queued',
        attempts: 0,
        answer: 429,
        last_error: expect.stringMatching(/^The tracker answered 429 and asked to wait 1(20|19) s\.$/),
      })
      expect(wait(row)).toBeGreaterThan(110)
    },
  )

  test('that is busy keeps its other postbacks waiting too, and nobody else’s', async () => {
    const { deps } = buyer.product
    const job = outgoingPostbacksJob(deps)
    const run = () => job.run(new AbortController().signal)
    await buyer.template('/busy?id={lead_id}')
    await buyer.template('/fine?id={lead_id}')
    buyer.tracker.modes.set('/busy', 'busy')
    await buyer.tell({ external_id: '1', source_status: 'sold' })
    await run()
    await buyer.tell({ external_id: '2', source_status: 'sold' }, { external_id: '3', source_status: 'sold' })
    await run()
    const received = buyer.tracker.requests.map(({ path, params }) => `${path} ${params['id']}`)
    expect(received.toSorted()).toEqual(['/busy 1', '/fine 1', '/fine 2', '/fine 3'])
  })

  test('is given up after ten attempts, each later than the one before', async () => {
    await once('broken')
    const waits = [wait((await buyer.log())[0])]
    for (let i = 2; i <= 9; i += 1) {
      await buyer.send()
      waits.push(wait((await buyer.log())[0]))
    }
    expect(waits.map((each) => Math.ceil(each / 30) * 30)).toEqual([
      30, 60, 120, 240, 480, 960, 1920, 3600, 3600,
    ])
    await buyer.send()
    expect((await buyer.log())[0]).toMatchObject({ status: 'refused', attempts: 10, answer: 500 })
    await buyer.send()
    expect(buyer.tracker.requests).toHaveLength(10)
  })

  test.each([
    ['unknown', 404, 'The tracker answered 404.'],
    [
      'redirect',
      null,
      '127.0.0.1 answered 302, a redirect, and none is followed. Give the address that it leads to.',
    ],
  ] as const)('that says %s is not asked twice', async (mode, answer, last_error) => {
    const { row } = await once(mode)
    expect(row).toMatchObject({ status: 'refused', attempts: 1, answer, last_error })
    buyer.tracker.mode = 'ok'
    await buyer.send()
    expect(buyer.tracker.requests).toHaveLength(1)
  })

  test('that hangs is given ten seconds, and others do not wait for it', { timeout: 60_000 }, async () => {
    await buyer.template('/hang?id={lead_id}')
    await buyer.template('/fine?id={lead_id}')
    buyer.tracker.modes.set('/hang', 'hang')
    const ids = Array.from({ length: 30 }, (_, n) => ({ external_id: String(n), source_status: 'sold' }))
    await buyer.tell(...ids)
    const job = outgoingPostbacksJob(buyer.product.deps)
    const stopping = new AbortController()
    const started = performance.now()
    const running = job.run(stopping.signal)
    await expect
      .poll(() => buyer.tracker.requests.filter(({ path }) => path === '/fine').length, { timeout: 20_000 })
      .toBe(30)
    const givenUp = (await buyer.log('status=queued')).filter(({ attempts }) => attempts === 1)
    expect(givenUp, 'the hanging ones are still waited for').toEqual([])
    // Told to stop, it still sees to what is under way.
    stopping.abort()
    await running
    expect(performance.now() - started).toBeGreaterThan(9500)
    const hung = (await buyer.log('status=queued')).filter(({ attempts }) => attempts === 1)
    expect(hung.map(({ last_error }) => last_error)).toEqual(
      Array.from({ length: 4 }, () => '127.0.0.1 did not answer in time.'),
    )
  })
})

describe('a template', () => {
  test('that was switched off or deleted sends nothing more, and the log stays', async () => {
    const { product, admin } = buyer
    const off = await buyer.template('/off')
    const gone = await buyer.template('/gone')
    await buyer.tell({ external_id: '1', source_status: 'sold' })
    await product.app.inject({
      method: 'PUT',
      url: `/api/admin/postback-templates/${off.id}`,
      headers: admin.headers,
      payload: { is_active: false },
    })
    const deleted = await product.app.inject({
      method: 'DELETE',
      url: `/api/admin/postback-templates/${gone.id}`,
      headers: admin.headers,
    })
    expect(deleted.statusCode).toBe(200)
    await buyer.send()
    expect(await buyer.log()).toMatchObject([
      { status: 'refused', template: { id: off.id }, last_error: 'The template was switched off.' },
      { status: 'refused', template: null, last_error: 'The template was deleted.' },
    ])
    expect(buyer.tracker.requests).toEqual([])
  })

  test('whose host became private, or stopped being allowed, is refused without a packet', async () => {
    const { id } = await buyer.template('/x')
    await buyer.tell({ external_id: '1', source_status: 'sold' })
    await buyer.product.deps.pool.query('update postback_templates set url = $1 where id = $2', [
      'http://127.0.0.1:1/?token=canary',
      id,
    ])
    await buyer.send()
    const [row] = await buyer.log()
    expect(row).toMatchObject({ status: 'refused', attempts: 1, answer: null })
    expect(row?.last_error).toBe(
      'The address must use port 80 or 443, unless KARVON_OUTBOUND_ALLOW names 127.0.0.1:1.',
    )
  })
})
