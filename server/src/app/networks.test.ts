import type { TryAnswer } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../test/app.ts'

import { hour, runStart } from '../../test/moment.ts'
import { bookOf, openNetworks, quick, type PracticeNetwork, type Reading } from '../../test/networks.ts'

const open = () => openNetworks(['100k', 'sotuvchi', 'odd'])
let desks: Awaited<ReturnType<typeof open>>

beforeAll(async () => {
  desks = await open()
})

afterAll(() => desks.close())

describe('100k.uz', () => {
  let desk: Reading
  let stand: PracticeNetwork

  beforeAll(() => {
    ;[stand] = desks.stands
  })

  test('is read whole at first: offers, streams of the account’s person, orders and money', async () => {
    desk = await desks.reading('100k', '100k', quick(stand))
    const run = await desks.runNow(desk)
    expect(run).toMatchObject({
      status: 'done',
      error: null,
      counts: { created: 120, streams: 3, offers: 6 },
    })
    expect(await desks.leads(desk)).toEqual(bookOf(stand))
    const streams = await ask(
      desks.product.app,
      desks.admin,
      'GET',
      `/api/admin/streams/?source_id=${desk.source}&sort=name`,
    )
    expect(streams.json()).toMatchObject({
      items: [
        { name: 'Reels', extra_id: '50', user: { name: 'aziz' }, offer: { name: 'Smart soat' } },
        { name: 'Telegram' },
        { name: 'TikTok' },
      ],
    })
    const { balance, hold } = stand.store.balance()
    const fin = await ask(
      desks.product.app,
      desks.admin,
      'GET',
      `/api/admin/report/fin?source_id=${desk.source}`,
    )
    expect(fin.json()).toMatchObject({
      // The network holds what is on its way too: that is the difference to what is on hold with us.
      items: [
        {
          network_balance: balance / 100,
          balance_difference: 0,
          network_hold: hold / 100,
          profit: balance / 100,
        },
      ],
    })
  })

  test('keeps its token sealed, and signs in again once the network forgets it', async () => {
    const tokens = stand.tokens.length ?? 0
    await desks.runNow(desk)
    expect(stand.tokens).toHaveLength(tokens)
    stand.forgetToken()
    expect(await desks.runNow(desk)).toMatchObject({ status: 'done' })
    expect(stand.tokens).toHaveLength(tokens + 1)
    const { rows } = await desks.product.deps.pool.query<{ token: string }>(
      'select token from source_credentials',
    )
    for (const token of stand.tokens ?? []) expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('is then read back to the oldest order that can still move', async () => {
    stand.store.addOrders(5, runStart - 6 * hour)
    for (let i = 0; i < 40; i++) stand.store.advanceOrders(40, runStart - 4 * hour)
    expect(await desks.runNow(desk)).toMatchObject({ status: 'done', counts: { created: 5 } })
    expect(await desks.leads(desk)).toEqual(bookOf(stand))
    stand.store.addOrders(30, runStart - 2 * hour)
    const before = stand.requests.length ?? 0
    expect(await desks.runNow(desk)).toMatchObject({ counts: { created: 30 } })
    const pages = stand?.requests.slice(before).filter(({ path }) => path.endsWith('/orders')) ?? []
    expect(pages.length).toBeLessThan(7)
    expect(await desks.leads(desk)).toEqual(bookOf(stand))
  })

  test('has an offer asked for by itself that left the list, and its pictures where they stand', async () => {
    const all = stand.store.offers
    stand.store.offers = all.map((offer) => ({ ...offer, delisted: offer.id === 102 }))
    const fresh = await desks.reading('100k once more', '100k', quick(stand))
    const url = `/api/admin/cpa-websites/${fresh.website}/`
    const addresses = {
      single_offer_url: `${stand.url}/advertiser/products/{id}?one=1`,
      img_url: 'https://pictures.example/i',
    }
    const put = await ask(desks.product.app, desks.admin, 'PUT', url, addresses)
    expect(put.statusCode).toBe(200)
    const before = stand.requests.length
    expect(await desks.runNow(fresh)).toMatchObject({ status: 'done', counts: { offers: 6 } })
    const asked = stand.requests.slice(before).filter(({ path }) => path.includes('/products/'))
    expect(asked.map(({ path, status }) => [path.split('/').at(-1), status])).toEqual([['102', 200]])
    stand.store.offers = all
    const offers = `/api/admin/offers/?source_id=${fresh.source}&extra_id=102`
    expect((await ask(desks.product.app, desks.admin, 'GET', offers)).json()).toMatchObject({
      items: [
        {
          name: 'Massajyor',
          price: 185_000,
          affiliate_fee: 34_500,
          image_url: 'https://pictures.example/i/pictures/102.jpg',
        },
      ],
    })
    const streams = `/api/admin/streams/?source_id=${fresh.source}&search=TikTok`
    expect((await ask(desks.product.app, desks.admin, 'GET', streams)).json()).toMatchObject({
      items: [{ name: 'TikTok', offer: { name: 'Massajyor' } }],
    })
    // It is known now: the next run asks for it no more.
    const then = stand.requests.length
    await desks.runNow(fresh)
    expect(stand.requests.slice(then).filter(({ path }) => path.includes('/products/'))).toEqual([])
  })

  test('with a wrong password says so, and asks for nothing else', async () => {
    const wrong = await desks.reading('Wrong', '100k', quick(stand), 'not it')
    const before = stand.requests.length ?? 0
    expect(await desks.runNow(wrong)).toMatchObject({
      status: 'failed',
      error: 'The network refused the sign-in (422).',
    })
    expect(stand.requests.slice(before)).toHaveLength(1)
  })
})

test('an account is fetched once it is there, however many are known by then', async () => {
  const [stand] = desks.stands
  for (const name of ['First', 'Second', 'Third']) {
    const { credential } = await desks.reading(name, '100k', quick(stand))
    await desks.look()
    expect(await desks.runs(credential)).toMatchObject([{ status: 'done' }])
  }
})

describe('sotuvchi.com', () => {
  test('has no streams and no time of change: its orders are the account’s, and move when they are seen to', async () => {
    const stand = desks.stands[1]
    const desk = await desks.reading('sotuvchi', 'sotuvchi', quick(stand))
    expect(await desks.runNow(desk)).toMatchObject({ status: 'done', counts: { created: 120 } })
    expect(await desks.leads(desk)).toEqual(bookOf(stand))
    stand.store.advanceOrders(60, runStart)
    await desks.runNow(desk)
    expect(await desks.leads(desk)).toEqual(bookOf(stand))
    const stats = await ask(
      desks.product.app,
      desks.admin,
      'GET',
      `/api/admin/report/streams?source_id=${desk.source}`,
    )
    expect(stats.json()).toMatchObject({ items: [{ name: 'sotuvchi of Aziz', leads: 120 }] })
    expect((await desks.runNow(desk)).counts).toMatchObject({ unchanged: 120 })
  })
})

describe('a network that nobody knew', () => {
  const description = {
    sign_in: {
      url: '/session',
      form: 'form',
      body: { who: '{login}', word: '{pass}' },
      token: 'result.session.key',
    },
    orders: {
      url: '/deals',
      query: { key: '{token}' },
      items: 'result.deals',
      paging: { by: 'offset', param: 'from', total: 'result.count' },
      fields: {
        external_id: 'ref',
        status: 'state.word',
        payout: 'reward',
        created_at: 'made',
        updated_at: 'touched',
        stream: 'flow.name',
        stream_extra_id: 'flow.id',
      },
    },
    money: { divisor: 100, currency: 'UZS' },
    time: { unit: 'seconds' },
  }

  test('is added as data, tried before anything is stored, and read like any other', async () => {
    const stand = desks.stands[2]
    await desks.create('/api/admin/connectors/', { code: 'odd', name: 'Odd one', description })
    const desk = await desks.reading('Odd', 'odd', quick(stand))
    const tried = await ask(
      desks.product.app,
      desks.admin,
      'POST',
      `/api/admin/cpa-websites/${desk.website}/try/`,
      {
        source_credential_id: desk.credential,
      },
    )
    expect(tried.json<TryAnswer>()).toMatchObject({
      sign_in: { ok: true },
      offers: null,
      orders: { ok: true, detail: '25 rows on the first page, 25 of them read.', problems: [] },
    })
    expect(tried.json<TryAnswer>().orders?.rows).toHaveLength(5)
    expect(await desks.leads(desk)).toEqual([])
    expect(await desks.runNow(desk)).toMatchObject({ status: 'done', counts: { created: 120 } })
    expect(await desks.leads(desk)).toEqual(bookOf(stand, (id, word) => `D-${id} ${word.toUpperCase()}`))
  })

  test('a try says what is wrong, part by part', async () => {
    const desk = await desks.reading('Odd again', 'odd', quick(desks.stands[2]))
    const attempt = async (body: object) =>
      (
        await ask(
          desks.product.app,
          desks.admin,
          'POST',
          `/api/admin/cpa-websites/${desk.website}/try/`,
          body,
        )
      ).json<TryAnswer>()
    expect(await attempt({ login: 'nobody', pass: 'x' })).toMatchObject({
      sign_in: { ok: false, detail: 'The network refused the sign-in (422).' },
      orders: null,
    })
    const account = { source_credential_id: desk.credential }
    expect(
      await attempt({ ...account, mapping: { ...quick(desks.stands[2]), orders: { items: 'deals' } } }),
    ).toMatchObject({
      orders: { ok: false, detail: 'The answer has no list at "deals".' },
    })
    const other = await desks.reading('Other', 'odd', quick(desks.stands[2]))
    const foreign = await ask(
      desks.product.app,
      desks.admin,
      'POST',
      `/api/admin/cpa-websites/${other.website}/try/`,
      account,
    )
    expect(foreign.statusCode).toBe(422)
    const inside = await attempt({ ...account, pass: 'x', mapping: { base_url: 'http://127.0.0.1:1/v9' } })
    expect(inside.sign_in?.ok).toBe(false)
  })
})
