import { connectors } from '@karvon/contract/connectors/connectors.ts'
import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../test/app.ts'
import { openNetworks, quick, type Reading } from '../../test/networks.ts'
import { createSample, type Row } from '../../test/sample.ts'

// A stored secret goes to the host that it was typed for, whatever an admin sets afterwards.

type Desks = Awaited<ReturnType<typeof openNetworks<readonly ['100k', '100k']>>>
let desks: Desks
const word = 'sirli so‘z'

beforeAll(async () => {
  desks = await openNetworks(['100k', '100k'])
})
afterAll(() => desks.close())

const home = () => desks.stands[0]
const thief = () => desks.stands[1]
const put = (path: string, id: number, body: object) =>
  ask(desks.product.app, desks.admin, 'PUT', `${path}/${id}/`, body)

/** A credential that was fetched once from its own network. */
async function fetched(name: string): Promise<Reading> {
  const reading = await desks.reading(name, '100k', quick(home()))
  expect((await desks.runNow(reading)).status).toBe('done')
  return reading
}

const refused =
  /^The stored secrets are for http:\/\/127\.0\.0\.1:\d+ alone\. Type them anew to send them to http/

describe('a sync', () => {
  const ways: Record<string, (reading: Reading) => Promise<unknown>> = {
    'another base address': ({ website }) => put(cpaWebsites.path, website, { mapping: quick(thief()) }),
    'another address of a list': ({ website }) =>
      put(cpaWebsites.path, website, { orders_url: `${thief().url}/orders` }),
    'another address of the sign-in': ({ website }) =>
      put(cpaWebsites.path, website, { login_url: `${thief().url}/login` }),
    'another connector': async ({ website }) => {
      const { description } = await createSample(desks.product.app, desks.admin, connectors, {
        code: 'thief',
        description: {
          base_url: thief().url,
          orders: {
            url: '/orders',
            items: 'd',
            fields: { external_id: 'id', status: 's', created_at: 'c' },
            paging: { by: 'none' },
          },
        },
      }).catch(() => ({ description: null }))
      expect(description).not.toBeNull()
      return put(cpaWebsites.path, website, { connector: 'thief', mapping: null })
    },
    'another source': async ({ credential }) => {
      const elsewhere = await desks.reading('Elsewhere', '100k', quick(thief()))
      await ask(
        desks.product.app,
        desks.admin,
        'DELETE',
        `${sourceCredentials.path}/${elsewhere.credential}/`,
      )
      return put(sourceCredentials.path, credential, { source_id: elsewhere.source })
    },
  }
  test.each(Object.entries(ways))('sends nothing to %s', async (name, lead) => {
    const reading = await fetched(name)
    const before = thief().requests.length
    await lead(reading)
    const run = await desks.runNow(reading)
    expect(run.status).toBe('failed')
    expect(run.error).toMatch(refused)
    expect(thief().requests.length).toBe(before)
  })

  test('goes on once all secrets are typed anew, and takes no token of before along', async () => {
    const reading = await fetched('Moved')
    await put(sourceCredentials.path, reading.credential, { api_key: 'key of the first network' })
    await put(cpaWebsites.path, reading.website, { mapping: quick(thief()) })
    const alone = await put(sourceCredentials.path, reading.credential, { pass: word })
    expect([alone.statusCode, alone.json()]).toMatchObject([
      422,
      {
        errors: [
          {
            field: 'api_key',
            message: expect.stringMatching(/^Type it anew: the stored one is for/) as string,
          },
        ],
      },
    ])
    expect((await put(sourceCredentials.path, reading.credential, { name: 'Renamed' })).statusCode).toBe(200)
    const all = { pass: word, api_key: 'key of the second network' }
    expect((await put(sourceCredentials.path, reading.credential, all)).json<Row>().token).toBeNull()
    const before = thief().requests.length
    expect((await desks.runNow(reading)).status).toBe('done')
    expect(thief().requests.length).toBeGreaterThan(before)
  })
})

describe('a try', () => {
  const attempt = (reading: Reading, body: object) =>
    ask(desks.product.app, desks.admin, 'POST', `${cpaWebsites.path}/${reading.website}/try/`, {
      source_credential_id: reading.credential,
      ...body,
    })

  test('with other addresses sends no stored secret', async () => {
    const reading = await fetched('Tried')
    for (const draft of [
      { mapping: quick(thief()) },
      { login_url: `${thief().url}/login` },
      { orders_url: `${thief().url}/orders` },
      { mapping: quick(thief()), login: 'other' },
    ]) {
      const before = thief().requests.length
      const answer = await attempt(reading, draft)
      expect([answer.statusCode, answer.json()]).toMatchObject([
        422,
        { errors: [{ field: 'source_credential_id', message: expect.stringMatching(refused) as string }] },
      ])
      expect(thief().requests.length).toBe(before)
    }
    const same = await attempt(reading, {})
    expect(same.json()).toMatchObject({ sign_in: { ok: true } })
    const typed = await attempt(reading, { mapping: quick(thief()), pass: word })
    expect(typed.json()).toMatchObject({ sign_in: { ok: true } })
  })
})

describe('a courier account', () => {
  test('wants its password anew for another host, and for http in place of https', async () => {
    const account = await createSample(desks.product.app, desks.admin, courierAccounts, {
      url: 'https://courier.example/api',
      is_active: false,
    })
    for (const url of [
      'https://thief.example/api',
      'http://courier.example/api',
      'https://courier.example:444/api',
    ]) {
      const answer = await put(courierAccounts.path, account.id, { url })
      expect(answer.statusCode, url).toBe(422)
    }
    const named = await put(courierAccounts.path, account.id, { url: 'https://thief.example/api' })
    expect(named.json()).toMatchObject({
      errors: [
        {
          field: 'pass',
          message: 'Type the password anew: the stored one is for https://courier.example alone.',
        },
      ],
    })
    const path = await put(courierAccounts.path, account.id, { url: 'https://courier.example/v2' })
    expect(path.statusCode).toBe(200)
    const both = { url: 'https://other.example/api', pass: 'typed anew' }
    expect((await put(courierAccounts.path, account.id, both)).statusCode).toBe(200)
  })
})
