import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { getWritableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import { resources } from '@karvon/contract/registry.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { createStreams, ScriptedStore } from '@karvon/testkit/fakes/network.store.ts'
import { startMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import { startNetwork } from '@karvon/testkit/fakes/network.ts'
import type { InjectOptions } from 'fastify'
import { ensureConnectors } from '../src/domains/connectors/connectors.start.ts'
import { callApi, createTestApp, signInAdmin, type Session } from './app.ts'
import { Canaries } from './canaries.ts'
import { runSyncs } from './jobs.ts'
import { openListener } from './listener.ts'
import { createRandom } from './networks.ts'
import { createSample, sampleBody, type Row } from './sample.ts'

/** The visible prefix of secrets that are partly shown. */
export const visiblePrefix = 'shown-to-whoever-may'

/** A mapping that replaces the network's address. */
const buildMapping = (url: string) => ({ base_url: url, limits: { page_delay_ms: 0 } })

/** Creates a product whose secrets are all canaries, with a network, a courier and an echo server. */
export async function createCanaryFixture() {
  const canaries = new Canaries()
  const secrets = {
    pass: canaries.create('pass'),
    api_key: canaries.create('api_key', visiblePrefix),
    token: canaries.create('token', visiblePrefix),
    courier: canaries.create('courier pass'),
    telegram: `1:${canaries.create('telegram token')}`,
    password: canaries.create('password'),
    given: canaries.create('postback secret'),
    linkToken: canaries.create('token in a link'),
  }
  /** Admins may see the key of a source in the source itself. */
  const key = canaries.create('postback key')
  const store = new ScriptedStore(createStreams(50, ['Reels']), createRandom(1))
  store.addOrders(30, Date.parse('2026-11-20T08:00:00+05:00'))
  const network = await startNetwork({ dialect: '100k', store, login: 'aziz', pass: secrets.pass })
  const courier = await startMeasoft({ extra: '8', login: 'karvon', pass: secrets.courier })
  /** A server whose answers a test sets. */
  const echo = await openListener()
  const echoUrl = `http://127.0.0.1:${echo.port}`
  const env = {
    KARVON_OUTBOUND_ALLOW: [network.url, courier.url, echoUrl].map((url) => new URL(url).host).join(),
    KARVON_TELEGRAM_TOKEN: secrets.telegram,
    KARVON_TELEGRAM_CHAT: '-100123',
    KARVON_TELEGRAM_ROOT: echoUrl,
    KARVON_LOG: 'trace',
    KARVON_ACCESS_LOG: 'on',
    KARVON_SLOW_STATEMENT_MS: '1',
  }
  const log: string[] = []
  const product = await createTestApp(env, {}, { write: (line) => void log.push(line) })
  const { app, deps } = product
  const admin = await signInAdmin(app)
  canaries.add('session', admin.token)
  await ensureConnectors(deps.db)

  /** All answers of the product. */
  const answers: { where: string; text: string }[] = []
  const query = async (text: string, values: unknown[] = []) =>
    (await deps.pool.query<Record<string, string>>(text, values)).rows

  /** Sends a request, records the answer and returns the status. */
  async function send(
    method: NonNullable<InjectOptions['method']>,
    url: string,
    payload?: InjectOptions['payload'],
    session: Session | null = admin,
  ): Promise<number> {
    const answer = await callApi(app, session, method, url, payload)
    answers.push({ where: `${method} ${url}`, text: `${JSON.stringify(answer.headers)} ${answer.body}` })
    return answer.statusCode
  }

  /** Builds a body with a new canary for each secret field of the resource. */
  async function secretBody(resource: Resource): Promise<Record<string, unknown>> {
    const body = await sampleBody(app, admin, resource)
    for (const [name, { kind, access }] of getWritableFields(resource.fields))
      if (kind === 'secret' || kind === 'password')
        body[name] = canaries.create(
          `${resource.name}.${name}`,
          kind === 'secret' && access === 'both' ? visiblePrefix : '',
        )
    return body
  }

  /** Syncs an account, also before the end of a wait, and returns the status and error of the run. */
  async function runSync(resource: Resource, { id }: Row): Promise<string> {
    await query('update sync_states set paused_until = null')
    await send('POST', `${resource.path}/${id}/run/`)
    await runSyncs(deps)
    await send('GET', '/api/admin/sync-runs/?per_page=200')
    const [run] = await query(
      `select concat_ws(': ', status, error) as outcome from sync_runs order by id desc limit 1`,
    )
    return String(run?.outcome)
  }

  for (const resource of resources) await send('POST', `${resource.path}/`, await secretBody(resource))
  const { pass, api_key, token } = secrets
  const accountSecrets = { login: 'aziz', pass, api_key, token }
  const credential = await createSample(app, admin, sourceCredentials, accountSecrets)
  const website = await createSample(app, admin, cpaWebsites, {
    ...Object.fromEntries(
      getWritableFields(cpaWebsites.fields).flatMap(([name, { kind }]) =>
        kind === 'url' ? [[name, null]] : [],
      ),
    ),
    cpa_source_id: credential.source_id,
    connector: '100k',
    mapping: buildMapping(network.url),
  })
  const courierAccount = {
    url: courier.url,
    extra: '8',
    login: 'karvon',
    pass: secrets.courier,
    is_active: true,
  }
  const account = await createSample(app, admin, courierAccounts, courierAccount)
  // Other accounts have real addresses and must not be synced.
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
    secrets,
    key,
    answers,
    log,
    credential,
    website,
    account,
    query,
    send,
    secretBody,
    fetchNow: runSync,
    over: buildMapping,
    async close() {
      await product.close()
      await Promise.all([network.close(), courier.close()])
      echo.close()
    },
  }
}
