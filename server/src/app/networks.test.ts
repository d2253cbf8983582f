import type { TryAnswer } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { hour, runStart } from '../../test/moment.ts'
import {
  listOrders,
  openNetworks,
  buildFastMapping,
  customDescription,
  type PracticeNetwork,
  type TestNetworkAccount,
} from '../../test/networks.ts'

const open = () => openNetworks(['100k', 'sotuvchi', 'odd'])
let fixture: Awaited<ReturnType<typeof open>>

beforeAll(async () => {
  fixture = await open()
})

afterAll(() => fixture.close())

describe('100k.uz', () => {
  let networkAccount: TestNetworkAccount
  let network: PracticeNetwork

  beforeAll(() => {
    ;[network] = fixture.fakes
  })

  test("the first sync of 100k.uz reads offers, streams of the account's person, orders and money", async () => {
    networkAccount = await fixture.createAccount('100k', '100k', buildFastMapping(network))
    const run = await fixture.runSync(networkAccount)
    expect(run).toMatchObject({
      status: 'done',
      error: null,
      counts: { created: 120, streams: 3, offers: 6 },
    })
    expect(await fixture.listLeads(networkAccount)).toEqual(listOrders(network))
    const streams = await callApi(
      fixture.product.app,
      fixture.admin,
      'GET',
      `/api/admin/streams/?source_id=${networkAccount.source}&sort=name`,
    )
    expect(streams.json()).toMatchObject({
      items: [
        { name: 'Reels', extra_id: '50', user: { name: 'aziz' }, offer: { name: 'Smart soat' } },
        { name: 'Telegram' },
        { name: 'TikTok' },
      ],
    })
    const { balance, hold } = network.store.balance()
    const fin = await callApi(
      fixture.product.app,
      fixture.admin,
      'GET',
      `/api/admin/report/fin?source_id=${networkAccount.source}`,
    )
    expect(fin.json()).toMatchObject({
      // The network's hold includes orders in transit, which is the difference to our hold.
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

  test('the token of 100k.uz is stored encrypted, and a forgotten token leads to a new sign-in', async () => {
    const tokens = network.tokens.length ?? 0
    await fixture.runSync(networkAccount)
    expect(network.tokens).toHaveLength(tokens)
    network.forgetToken()
    expect(await fixture.runSync(networkAccount)).toMatchObject({ status: 'done' })
    expect(network.tokens).toHaveLength(tokens + 1)
    const { rows } = await fixture.product.deps.pool.query<{ token: string }>(
      'select token from source_credentials',
    )
    for (const token of network.tokens ?? []) expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('a later sync of 100k.uz reads back to the oldest order that can still change', async () => {
    network.store.addOrders(5, runStart - 6 * hour)
    for (let i = 0; i < 40; i++) network.store.advanceOrders(40, runStart - 4 * hour)
    expect(await fixture.runSync(networkAccount)).toMatchObject({ status: 'done', counts: { created: 5 } })
    expect(await fixture.listLeads(networkAccount)).toEqual(listOrders(network))
    network.store.addOrders(30, runStart - 2 * hour)
    const before = network.requests.length ?? 0
    expect(await fixture.runSync(networkAccount)).toMatchObject({ counts: { created: 30 } })
    const pages = network?.requests.slice(before).filter(({ path }) => path.endsWith('/orders')) ?? []
    expect(pages.length).toBeLessThan(7)
    expect(await fixture.listLeads(networkAccount)).toEqual(listOrders(network))
  })

  test('an offer that left the list of 100k.uz is read by its id, with its pictures', async () => {
    const allOffers = network.store.offers
    network.store.offers = allOffers.map((offer) => ({ ...offer, isDelisted: offer.id === 102 }))
    const fresh = await fixture.createAccount('100k once more', '100k', buildFastMapping(network))
    const url = `/api/admin/cpa-websites/${fresh.website}/`
    const addresses = {
      single_offer_url: `${network.url}/advertiser/products/{id}?one=1`,
      img_url: 'https://pictures.example/i',
    }
    const answer = await callApi(fixture.product.app, fixture.admin, 'PUT', url, addresses)
    expect(answer.statusCode).toBe(200)
    const before = network.requests.length
    expect(await fixture.runSync(fresh)).toMatchObject({ status: 'done', counts: { offers: 6 } })
    const productRequests = network.requests.slice(before).filter(({ path }) => path.includes('/products/'))
    expect(productRequests.map(({ path, status }) => [path.split('/').at(-1), status])).toEqual([
      ['102', 200],
    ])
    network.store.offers = allOffers
    const offers = `/api/admin/offers/?source_id=${fresh.source}&extra_id=102`
    expect((await callApi(fixture.product.app, fixture.admin, 'GET', offers)).json()).toMatchObject({
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
    expect((await callApi(fixture.product.app, fixture.admin, 'GET', streams)).json()).toMatchObject({
      items: [{ name: 'TikTok', offer: { name: 'Massajyor' } }],
    })
    // The offer is known now, so the next run does not ask for it.
    const then = network.requests.length
    await fixture.runSync(fresh)
    expect(network.requests.slice(then).filter(({ path }) => path.includes('/products/'))).toEqual([])
  })

  test('a wrong password at 100k.uz fails the run with a reason after one request', async () => {
    const wrong = await fixture.createAccount('Wrong', '100k', buildFastMapping(network), 'not it')
    const before = network.requests.length ?? 0
    expect(await fixture.runSync(wrong)).toMatchObject({
      status: 'failed',
      error: 'The network refused the sign-in (422).',
    })
    expect(network.requests.slice(before)).toHaveLength(1)
  })

  test('a search of the sync runs matches the error and the name of the account', async () => {
    const search = async (text: string) =>
      (
        await callApi(
          fixture.product.app,
          fixture.admin,
          'GET',
          `/api/admin/sync-runs/?search=${encodeURIComponent(text)}`,
        )
      ).json<{ items: { error: string | null; source_credential: { name: string } }[] }>().items
    const [failedRun, ...otherRuns] = await search('REFUSED the sign-in')
    expect(failedRun?.error).toBe('The network refused the sign-in (422).')
    expect(otherRuns).toEqual([])
    const name = failedRun?.source_credential.name ?? ''
    expect((await search(name.slice(1))).map((run) => run.source_credential.name)).toContain(name)
    expect(await search('no such account')).toEqual([])
  })

  test('an account whose network refuses every request is paused after five runs, although its token is valid', async () => {
    const account = await fixture.createAccount('Broken', '100k', buildFastMapping(network))
    expect(await fixture.runSync(account)).toMatchObject({ status: 'done' })
    network.faults = { broken: 1 }
    for (let failures = 1; failures <= 5; failures++)
      expect(await fixture.runSync(account)).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('orders: The network answered 500.'),
      })
    network.faults = {}
    const url = `/api/admin/source-credentials/${account.credential}/`
    expect((await callApi(fixture.product.app, fixture.admin, 'GET', url)).json()).toMatchObject({
      items: [{ health: { failures: 5, paused_until: expect.any(String) } }],
    })
    expect(await fixture.runSync(account)).toMatchObject({ status: 'done' })
  })
})

test('a new account is synced at once, whatever the number of other accounts', async () => {
  const [network] = fixture.fakes
  for (const name of ['First', 'Second', 'Third']) {
    const { credential } = await fixture.createAccount(name, '100k', buildFastMapping(network))
    await fixture.runSyncs()
    expect(await fixture.runs(credential)).toMatchObject([{ status: 'done' }])
  }
})

describe('sotuvchi.com', () => {
  test("a network without streams or change times gives its orders to the account's person and finds changes", async () => {
    const network = fixture.fakes[1]
    const networkAccount = await fixture.createAccount('sotuvchi', 'sotuvchi', buildFastMapping(network))
    expect(await fixture.runSync(networkAccount)).toMatchObject({ status: 'done', counts: { created: 120 } })
    expect(await fixture.listLeads(networkAccount)).toEqual(listOrders(network))
    network.store.advanceOrders(60, runStart)
    await fixture.runSync(networkAccount)
    expect(await fixture.listLeads(networkAccount)).toEqual(listOrders(network))
    const stats = await callApi(
      fixture.product.app,
      fixture.admin,
      'GET',
      `/api/admin/report/streams?source_id=${networkAccount.source}`,
    )
    expect(stats.json()).toMatchObject({ items: [{ name: 'sotuvchi of Aziz', leads: 120 }] })
    // At no time the stream belonged to nobody, when its leads would match the parcels of any person.
    const formerOwners = await fixture.product.deps.pool.query(
      `select from stream_former_owners o join streams s on s.id = o.stream_id where s.source_id = $1`,
      [networkAccount.source],
    )
    expect(formerOwners.rowCount).toBe(0)
    expect((await fixture.runSync(networkAccount)).counts).toMatchObject({ unchanged: 120 })
  })
})

describe('A network added as data', () => {
  test('a network added as data is tested without storing anything, and then synced like any other', async () => {
    const network = fixture.fakes[2]
    await fixture.create('/api/admin/connectors/', {
      code: 'odd',
      name: 'Odd one',
      description: customDescription,
    })
    const networkAccount = await fixture.createAccount('Odd', 'odd', buildFastMapping(network))
    const tryAnswer = await callApi(
      fixture.product.app,
      fixture.admin,
      'POST',
      `/api/admin/cpa-websites/${networkAccount.website}/try/`,
      {
        source_credential_id: networkAccount.credential,
      },
    )
    expect(tryAnswer.json<TryAnswer>()).toMatchObject({
      sign_in: { ok: true },
      offers: null,
      orders: { ok: true, detail: '25 rows on the first page, 25 of them read.', problems: [] },
    })
    expect(tryAnswer.json<TryAnswer>().orders?.rows).toHaveLength(5)
    expect(await fixture.listLeads(networkAccount)).toEqual([])
    expect(await fixture.runSync(networkAccount)).toMatchObject({ status: 'done', counts: { created: 120 } })
    expect(await fixture.listLeads(networkAccount)).toEqual(
      listOrders(network, (id, word) => `D-${id} ${word.toUpperCase()}`),
    )
  })

  test('the test of a connector reports each part with its error', async () => {
    const networkAccount = await fixture.createAccount('Odd again', 'odd', buildFastMapping(fixture.fakes[2]))
    const attempt = async (body: object) =>
      (
        await callApi(
          fixture.product.app,
          fixture.admin,
          'POST',
          `/api/admin/cpa-websites/${networkAccount.website}/try/`,
          body,
        )
      ).json<TryAnswer>()
    expect(await attempt({ login: 'nobody', pass: 'x' })).toMatchObject({
      sign_in: { ok: false, detail: 'The network refused the sign-in (422).' },
      orders: null,
    })
    const account = { source_credential_id: networkAccount.credential }
    expect(await attempt({ login: '\u202Aaziz@desk.uz\u202C ', pass: 'sirli so‘z' })).toMatchObject({
      sign_in: { ok: true },
    })
    expect(
      await attempt({
        ...account,
        mapping: { ...buildFastMapping(fixture.fakes[2]), orders: { items: 'deals' } },
      }),
    ).toMatchObject({
      orders: { ok: false, detail: 'The answer has no list at "deals".' },
    })
    const otherAccount = await fixture.createAccount('Other', 'odd', buildFastMapping(fixture.fakes[2]))
    const foreign = await callApi(
      fixture.product.app,
      fixture.admin,
      'POST',
      `/api/admin/cpa-websites/${otherAccount.website}/try/`,
      account,
    )
    expect(foreign.statusCode).toBe(422)
    const inside = await attempt({ ...account, pass: 'x', mapping: { base_url: 'http://127.0.0.1:1/v9' } })
    expect(inside.sign_in?.ok).toBe(false)
  })
})
