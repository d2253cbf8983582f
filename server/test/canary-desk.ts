import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { getWritableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import { resources } from '@karvon/contract/registry.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { createStreams, ScriptedStore } from '@karvon/testkit/fakes/network.store.ts'
import { startMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import { startNetwork } from '@karvon/testkit/fakes/network.ts'
import type { InjectOptions } from 'fastify'
import { syncKinds } from '../src/app/syncs.ts'
import { ensureConnectors } from '../src/domains/connectors/connectors.start.ts'
import { syncJobs } from '../src/domains/syncs/syncs.engine.ts'
import { ask, createTestApp, firstAdmin, signIn, type Signed } from './app.ts'
import { Canaries } from './canaries.ts'
import { openListener } from './listener.ts'
import { chanceFrom } from './networks.ts'
import { createSample, sampleBody, type Row } from './sample.ts'

/** As much of a secret as a person may see, where one may see anything of it. */
export const shown = 'shown-to-whoever-may'

/** Lets an address take the place of the network's. */
const over = (url: string) => ({ base_url: url, manners: { page_delay_ms: 0 } })

/** A product whose every secret is a canary, with a network, a courier and an echo that may be called. */
export async function openCanaryDesk() {
  const canaries = new Canaries()
  const words = {
    pass: canaries.make('pass'),
    api_key: canaries.make('api_key', shown),
    token: canaries.make('token', shown),
    courier: canaries.make('courier pass'),
    telegram: `1:${canaries.make('telegram token')}`,
    password: canaries.make('password'),
    given: canaries.make('postback secret'),
    next: canaries.make('token in a link'),
  }
  /** The key of a source is for the admin, in the source itself. */
  const key = canaries.make('postback key')
  const store = new ScriptedStore(createStreams(50, ['Reels']), chanceFrom(1))
  store.addOrders(30, Date.parse('2026-11-20T08:00:00+05:00'))
  const network = await startNetwork({ dialect: '100k', store, login: 'aziz', pass: words.pass })
  const courier = await startMeasoft({ extra: '8', login: 'karvon', pass: words.courier })
  /** A server that does with what it is told whatever a test says. */
  const echo = await openListener()
  const echoUrl = `http://127.0.0.1:${echo.port}`
  const env = {
    KARVON_OUTBOUND_ALLOW: [network.url, courier.url, echoUrl].map((url) => new URL(url).host).join(),
    KARVON_TELEGRAM_TOKEN: words.telegram,
    KARVON_TELEGRAM_CHAT: '-100123',
    KARVON_TELEGRAM_ROOT: echoUrl,
    KARVON_LOG: 'trace',
  }
  const log: string[] = []
  const product = await createTestApp(env, {}, { write: (line) => void log.push(line) })
  const { app, deps } = product
  const admin = await signIn(app, firstAdmin.username, firstAdmin.password)
  canaries.watch('session', admin.token)
  await ensureConnectors(deps.db)

  /** Whatever the product said, by where. */
  const said: { where: string; text: string }[] = []
  const query = async (text: string, values: unknown[] = []) =>
    (await deps.pool.query<Record<string, string>>(text, values)).rows

  /** A request whose answer is kept; its status. */
  async function tell(
    method: NonNullable<InjectOptions['method']>,
    url: string,
    payload?: InjectOptions['payload'],
    as: Signed | null = admin,
  ): Promise<number> {
    const answer = await ask(app, as, method, url, payload)
    said.push({ where: `${method} ${url}`, text: `${JSON.stringify(answer.headers)} ${answer.body}` })
    return answer.statusCode
  }

  /** A body with a new canary for every secret that the resource takes. */
  async function secretBody(of: Resource): Promise<Record<string, unknown>> {
    const body = await sampleBody(app, admin, of)
    for (const [name, { kind, access }] of getWritableFields(of.fields))
      if (kind === 'secret' || kind === 'password')
        body[name] = canaries.make(`${of.name}.${name}`, kind === 'secret' && access === 'both' ? shown : '')
    return body
  }

  /** Fetches an account, whatever comes of it; how the run ended, and why. */
  async function fetchNow(of: Resource, { id }: Row): Promise<string> {
    await tell('POST', `${of.path}/${id}/run/`)
    const [job] = syncJobs(deps, syncKinds(deps, true))
    while ((await job?.run(new AbortController().signal))?.more) continue
    await tell('GET', '/api/admin/sync-runs/?per_page=200')
    const [run] = await query(
      `select concat_ws(': ', status, error) as outcome from sync_runs order by id desc limit 1`,
    )
    return String(run?.outcome)
  }

  for (const of of resources) await tell('POST', `${of.path}/`, await secretBody(of))
  const { pass, api_key, token } = words
  const own = { login: 'aziz', pass, api_key, token }
  const credential = await createSample(app, admin, sourceCredentials, own)
  const website = await createSample(app, admin, cpaWebsites, {
    ...Object.fromEntries(
      getWritableFields(cpaWebsites.fields).flatMap(([name, { kind }]) =>
        kind === 'url' ? [[name, null]] : [],
      ),
    ),
    cpa_source_id: credential.source_id,
    connector: '100k',
    mapping: over(network.url),
  })
  const post = { url: courier.url, extra: '8', login: 'karvon', pass: words.courier, is_active: true }
  const account = await createSample(app, admin, courierAccounts, post)
  // Nothing else is fetched: it would be from addresses that are somebody's.
  await query('update cpa_sources set is_active = id = $1', [credential.source_id])
  await query('update courier_accounts set is_active = id = $1', [account.id])
  await query('update cpa_sources set postback_key = $1 where id = $2', [key, credential.source_id])

  return {
    product,
    admin,
    network,
    echo,
    echoUrl,
    canaries,
    words,
    key,
    said,
    log,
    credential,
    website,
    account,
    query,
    tell,
    secretBody,
    fetchNow,
    over,
    async close() {
      await product.close()
      await Promise.all([network.close(), courier.close()])
      echo.close()
    },
  }
}
