import { connectors } from '@karvon/contract/connectors/connectors.ts'
import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { openNetworks, buildFastMapping, type TestNetworkAccount } from '../../test/networks.ts'
import { createSample, type Row } from '../../test/sample.ts'

// A stored secret is sent to the host that it was entered for, and to no other.

type Desks = Awaited<ReturnType<typeof openNetworks<readonly ['100k', '100k']>>>
let fixture: Desks
const password = 'sirli so‘z'

beforeAll(async () => {
  fixture = await openNetworks(['100k', '100k'])
})
afterAll(() => fixture.close())

const home = () => fixture.fakes[0]
const otherNetwork = () => fixture.fakes[1]
const put = (path: string, id: number, body: object) =>
  callApi(fixture.product.app, fixture.admin, 'PUT', `${path}/${id}/`, body)

/** A credential that was synced once from its own network. */
async function createFetchedAccount(name: string): Promise<TestNetworkAccount> {
  const reading = await fixture.createAccount(name, '100k', buildFastMapping(home()))
  expect((await fixture.runSync(reading)).status).toBe('done')
  return reading
}

const refusalPattern =
  /^The stored secrets are only for http:\/\/127\.0\.0\.1:\d+\. Enter them again to send them to http/

describe('Syncs', () => {
  const ways: Record<string, (reading: TestNetworkAccount) => Promise<unknown>> = {
    'another base address': ({ website }) =>
      put(cpaWebsites.path, website, { mapping: buildFastMapping(otherNetwork()) }),
    'another address of a list': ({ website }) =>
      put(cpaWebsites.path, website, { orders_url: `${otherNetwork().url}/orders` }),
    'another address of the sign-in': ({ website }) =>
      put(cpaWebsites.path, website, { login_url: `${otherNetwork().url}/login` }),
    'another connector': async ({ website }) => {
      const { description } = await createSample(fixture.product.app, fixture.admin, connectors, {
        code: 'stranger',
        description: {
          base_url: otherNetwork().url,
          orders: {
            url: '/orders',
            items: 'd',
            fields: { external_id: 'id', status: 's', created_at: 'c' },
            paging: { by: 'none' },
          },
        },
      }).catch(() => ({ description: null }))
      expect(description).not.toBeNull()
      return put(cpaWebsites.path, website, { connector: 'stranger', mapping: null })
    },
    'another source': async ({ credential }) => {
      const otherAccount = await fixture.createAccount('Elsewhere', '100k', buildFastMapping(otherNetwork()))
      await callApi(
        fixture.product.app,
        fixture.admin,
        'DELETE',
        `${sourceCredentials.path}/${otherAccount.credential}/`,
      )
      return put(sourceCredentials.path, credential, { source_id: otherAccount.source })
    },
  }
  test.each(Object.entries(ways))('a sync sends no stored secret to %s', async (name, lead) => {
    const reading = await createFetchedAccount(name)
    const before = otherNetwork().requests.length
    await lead(reading)
    const run = await fixture.runSync(reading)
    expect(run.status).toBe('failed')
    expect(run.error).toMatch(refusalPattern)
    expect(otherNetwork().requests.length).toBe(before)
  })

  test('a sync to a new host works once all secrets are entered again, and drops the old token', async () => {
    const reading = await createFetchedAccount('Moved')
    await put(sourceCredentials.path, reading.credential, { api_key: 'key of the first network' })
    await put(cpaWebsites.path, reading.website, { mapping: buildFastMapping(otherNetwork()) })
    const alone = await put(sourceCredentials.path, reading.credential, { pass: password })
    expect([alone.statusCode, alone.json()]).toMatchObject([
      422,
      {
        errors: [
          {
            field: 'api_key',
            message: expect.stringMatching(/^Enter it again: the stored one is only for/) as string,
          },
        ],
      },
    ])
    expect((await put(sourceCredentials.path, reading.credential, { name: 'Renamed' })).statusCode).toBe(200)
    const allSecrets = { pass: password, api_key: 'key of the second network' }
    expect((await put(sourceCredentials.path, reading.credential, allSecrets)).json<Row>().token).toBeNull()
    const before = otherNetwork().requests.length
    expect((await fixture.runSync(reading)).status).toBe('done')
    expect(otherNetwork().requests.length).toBeGreaterThan(before)
  })
})

describe('A run during which the account gets another host', () => {
  test('a token of the old host that arrives after the change is not stored, and the new host never gets it', async () => {
    const account = await fixture.createAccount('Late token', '100k', buildFastMapping(home()))
    const { deps } = fixture.product
    const { outgoing } = deps
    let isMoved = false
    deps.outgoing = {
      ...outgoing,
      async request(outgoingRequest) {
        const answer = await outgoing.request(outgoingRequest)
        if (isMoved) return answer
        isMoved = true
        await put(cpaWebsites.path, account.website, { mapping: buildFastMapping(otherNetwork()) })
        await put(sourceCredentials.path, account.credential, { pass: password })
        return answer
      },
    }
    const before = otherNetwork().requests.length
    try {
      await fixture.runSync(account)
    } finally {
      deps.outgoing = outgoing
    }
    expect((await fixture.runSync(account)).status).toBe('done')
    expect(otherNetwork().requests[before]?.path).toMatch(/sign-in$/)
    expect((await fixture.runs(account.credential)).at(-1)).toMatchObject({
      status: 'failed',
      error: 'The account was changed or deactivated during the run.',
    })
  })
})

describe('Connector tests', () => {
  const attempt = (reading: TestNetworkAccount, body: object) =>
    callApi(fixture.product.app, fixture.admin, 'POST', `${cpaWebsites.path}/${reading.website}/try/`, {
      source_credential_id: reading.credential,
      ...body,
    })

  test('a connector test with other addresses sends no stored secret', async () => {
    const reading = await createFetchedAccount('Tried')
    for (const draft of [
      { mapping: buildFastMapping(otherNetwork()) },
      { login_url: `${otherNetwork().url}/login` },
      { orders_url: `${otherNetwork().url}/orders` },
      { mapping: buildFastMapping(otherNetwork()), login: 'other' },
    ]) {
      const before = otherNetwork().requests.length
      const answer = await attempt(reading, draft)
      expect([answer.statusCode, answer.json()]).toMatchObject([
        422,
        {
          errors: [
            { field: 'source_credential_id', message: expect.stringMatching(refusalPattern) as string },
          ],
        },
      ])
      expect(otherNetwork().requests.length).toBe(before)
    }
    const sameHostAnswer = await attempt(reading, {})
    expect(sameHostAnswer.json()).toMatchObject({ sign_in: { ok: true } })
    const typedAnswer = await attempt(reading, { mapping: buildFastMapping(otherNetwork()), pass: password })
    expect(typedAnswer.json()).toMatchObject({ sign_in: { ok: true } })
  })
})

describe('Courier accounts', () => {
  test('a courier account needs its password again for another host, and for http instead of https', async () => {
    const account = await createSample(fixture.product.app, fixture.admin, courierAccounts, {
      url: 'https://courier.example/api',
      is_active: false,
    })
    for (const url of [
      'https://other.example/api',
      'http://courier.example/api',
      'https://courier.example:444/api',
    ]) {
      const answer = await put(courierAccounts.path, account.id, { url })
      expect(answer.statusCode, url).toBe(422)
    }
    const answer = await put(courierAccounts.path, account.id, { url: 'https://other.example/api' })
    expect(answer.json()).toMatchObject({
      errors: [
        {
          field: 'pass',
          message: 'Enter the password again: the stored one is only for https://courier.example.',
        },
      ],
    })
    const path = await put(courierAccounts.path, account.id, { url: 'https://courier.example/v2' })
    expect(path.statusCode).toBe(200)
    const body = { url: 'https://other.example/api', pass: 'typed anew' }
    expect((await put(courierAccounts.path, account.id, body)).statusCode).toBe(200)
  })
})
