import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import type { TryAnswer } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { buildFastMapping, openNetworks } from '../../test/networks.ts'
import { readJson, readJsonMembers } from '../../test/recipe.ts'

const open = () => openNetworks(['odd'])
let fixture: Awaited<ReturnType<typeof open>>
beforeAll(async () => {
  fixture = await open()
})
afterAll(() => fixture.close())

const recipe = 'add-a-network'
const description = readJson(recipe) as ConnectorDescription

const get = async <Row>(url: string): Promise<Page<Row>> =>
  (await callApi(fixture.product.app, fixture.admin, 'GET', url)).json<Page<Row>>()

test('the network of the recipe is added as data, and its orders are in the list of leads', async () => {
  const [network] = fixture.fakes
  await fixture.create('/api/admin/connectors/', { code: 'deals', name: 'Deals', description })
  const account = await fixture.createAccount('Deals', 'deals', buildFastMapping(network))

  const url = `/api/admin/cpa-websites/${account.website}/try/`
  const body = { source_credential_id: account.credential }
  const tryAnswer = await callApi(fixture.product.app, fixture.admin, 'POST', url, body)
  expect(tryAnswer.json<TryAnswer>()).toMatchObject({
    sign_in: { ok: true },
    orders: { ok: true, problems: [] },
  })
  const leadsUrl = `/api/admin/leads/?source_id=${account.source}&sort=external_id&per_page=200`
  expect((await get(leadsUrl)).items).toEqual([])

  expect(await fixture.runSync(account)).toMatchObject({ status: 'done', counts: { created: 120 } })
  const orders = network.store.orders().map(({ id, status, payout, created }) => ({
    external_id: `D-${id}`,
    source_status: status.toUpperCase(),
    payout: payout / 100,
    currency: description.money?.currency,
    created_at: Math.floor(created / 1000),
  }))
  const leads = (await get<Record<string, unknown>>(leadsUrl)).items.map(
    ({ external_id, source_status, payout, currency, created_at }) => ({
      external_id,
      source_status,
      payout,
      currency,
      created_at: Date.parse(String(created_at)) / 1000,
    }),
  )
  const inOrder = (rows: object[]) => rows.map((row) => JSON.stringify(row)).toSorted()
  expect(inOrder(leads)).toEqual(inOrder(orders))

  const unmappedPage = await get<{ word: string }>(`/api/admin/leads/unmapped/?source_id=${account.source}`)
  const words = new Set(orders.map(({ source_status }) => source_status.toLowerCase()))
  expect(unmappedPage.items.length).toBeGreaterThan(0)
  for (const { word } of unmappedPage.items) expect(words).toContain(word.toLowerCase())
})

test('every further member that the recipe names is accepted in a description', async () => {
  const members = readJsonMembers(recipe)
  expect(members.map((member) => Object.keys(member))).toEqual([
    ['newest_first'],
    ['orders'],
    ['limits'],
    ['transactions'],
    ['withdrawals'],
    ['offer'],
  ])
  for (const [index, member] of members.entries()) {
    const { newest_first, orders, ...rest } = member as Record<string, object>
    const ordersDescription = {
      ...description.orders,
      ...orders,
      ...(newest_first !== undefined && { newest_first }),
    }
    const answer = await callApi(fixture.product.app, fixture.admin, 'POST', '/api/admin/connectors/', {
      code: `deals-${index}`,
      name: 'Deals',
      description: { ...description, ...rest, orders: ordersDescription },
    })
    expect(answer.statusCode, answer.body).toBe(201)
  }
})
