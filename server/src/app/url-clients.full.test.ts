import type { TryAnswer } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { connectors } from '@karvon/contract/connectors/connectors.ts'
import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { openBuyer, type Buyer } from '../../test/buyer.ts'
import { invalidUrls, privateHosts, privateNames } from '../../test/hostile-urls.ts'
import { runSyncs } from '../../test/jobs.ts'
import { createLookup, openListener, type Listener } from '../../test/listener.ts'
import { createSample } from '../../test/sample.ts'
import { openOutgoing } from '../platform/outgoing-http/outgoing.ts'
import { syncKinds } from './syncs.ts'

let buyer: Buyer
let changeOwn: () => Promise<void>
/** A listener that no call may reach, and one that the operator allows. */
let inside: Listener
let allowedListener: Listener
let credential: number
let website: number
let courier: number

beforeAll(async () => {
  inside = await openListener()
  allowedListener = await openListener()
  buyer = await openBuyer()
  const { app, deps } = buyer.product
  const usual = deps.outgoing
  // Every port is allowed for public addresses, so that only the address is checked.
  const ports = [80, 443, inside.port]
  deps.outgoing = openOutgoing([`127.0.0.1:${allowedListener.port}`], {
    lookup: createLookup(privateNames),
    ports,
  })
  changeOwn = async () => {
    await deps.outgoing.close()
    deps.outgoing = usual
  }
  await buyer.newStream()
  const orders = {
    url: 'https://example.com/orders',
    items: '',
    paging: { by: 'none' },
    fields: { external_id: 'id', status: 'status', created_at: 'at' },
  }
  await createSample(app, buyer.admin, connectors, { code: 'plain', description: { orders } })
  const createdCredential = await createSample(app, buyer.admin, sourceCredentials)
  credential = createdCredential.id
  const source = { connector: 'plain', mapping: null, cpa_source_id: createdCredential.source_id }
  website = (await createSample(app, buyer.admin, cpaWebsites, source)).id
  courier = (await createSample(app, buyer.admin, courierAccounts, { is_active: true })).id
  await deps.pool.query('update cpa_sources set is_active = true')
})
beforeEach(() => {
  inside.connectionCount = 0
})
afterAll(async () => {
  await changeOwn()
  await buyer.close()
  inside.close()
  allowedListener.close()
})

const query = (text: string, values: unknown[]) => buyer.product.deps.pool.query(text, values)

async function runOf(kind: 0 | 1, path: string, id: number, filter: string): Promise<string> {
  const { app, deps } = buyer.product
  await callApi(app, buyer.admin, 'POST', `${path}/${id}/run/`)
  await runSyncs(deps, syncKinds(deps, true).slice(kind, kind + 1))
  const url = `/api/admin/sync-runs/?${filter}=${id}&per_page=1`
  const [run] = (await callApi(app, buyer.admin, 'GET', url)).json<{ items: SyncRun[] }>().items
  return `${run?.status}: ${run?.error}`
}

/** The result of each client for an address that bypassed the form, as from an older version. */
const clients: Record<string, (url: string) => Promise<string>> = {
  'the fetching of a network': async (url) => {
    await query('update cpa_websites set orders_url = $1 where id = $2', [url, website])
    await query('update source_credentials set secret_hosts = null where id = $1', [credential])
    return runOf(0, sourceCredentials.path, credential, 'source_credential_id')
  },
  'the courier’s': async (url) => {
    await query('update courier_accounts set url = $1 where id = $2', [url, courier])
    return runOf(1, courierAccounts.path, courier, 'courier_account_id')
  },
  'the try of a network': async (url) => {
    const at = `${cpaWebsites.path}/${website}/try/`
    const answer = await callApi(buyer.product.app, buyer.admin, 'POST', at, { orders_url: url, token: 'x' })
    const { orders } = answer.json<TryAnswer>()
    return `${orders?.ok === false ? 'failed' : answer.body}: ${orders?.detail}`
  },
  'the postbacks to trackers': async (url) => {
    await buyer.newStream()
    const { id } = await buyer.addTemplate('/', { url: 'https://example.com/' })
    await query('update postback_templates set url = $1 where id = $2', [url, id])
    await buyer.ingest({ external_id: '1' })
    await buyer.runJob()
    const [row] = await buyer.log(`template_id=${id}`)
    return `${row?.status === 'refused' ? 'failed' : row?.status}: ${row?.last_error}`
  },
}

describe.each(Object.entries(clients))('%s', (_, outcome) => {
  const clear = /^(failed|partial): .*(must |not public|no address)/

  test('a call to a private address is refused with the reason', async () => {
    // Some of each kind: the client that all of them call by has its own tests of every spelling.
    const selectThird = (items: readonly string[]) => items.filter((_, i) => i % 3 === 0)
    const hosts = [...selectThird(privateHosts), ...Object.keys(privateNames)]
    for (const host of hosts) expect(await outcome(`http://${host}:${inside.port}/`), host).toMatch(clear)
    for (const url of [
      `http://user:word@127.0.0.1:${inside.port}/`,
      'http://8.8.8.8:22/',
      ...selectThird(invalidUrls),
    ])
      expect(await outcome(url), url).toMatch(clear)
    expect(inside.connectionCount).toBe(0)
  })

  test('a redirect is not followed, from any sender', async () => {
    const targets = [`http://127.0.0.1:${inside.port}/`, `//[::1]:${inside.port}/`, 'http://169.254.169.254/']
    for (const [i, location] of targets.entries()) {
      allowedListener.answer = (_request, response) =>
        void response.writeHead([301, 302, 307][i] ?? 308, { location }).end()
      expect(await outcome(`http://127.0.0.1:${allowedListener.port}/`)).toMatch(
        /^(failed|partial): .*the redirect/,
      )
    }
    expect(inside.connectionCount).toBe(0)
  })
})
