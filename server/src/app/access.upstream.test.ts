import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { buildPdf } from '../../test/archives.ts'
import { sendFile } from '../../test/files.ts'
import { runSyncs } from '../../test/jobs.ts'
import { openListener, type Listener } from '../../test/listener.ts'
import { createUser, getPassword } from '../../test/people.ts'
import { createSample } from '../../test/sample.ts'
import { ensureConnectors } from '../domains/connectors/connectors.start.ts'

let otherHost: Listener
let product: Product
let admin: Session
let person: Session
let ids: { website: number; credential: number; account: number }

beforeAll(async () => {
  otherHost = await openListener()
  const host = `127.0.0.1:${otherHost.port}`
  product = await createTestApp({
    KARVON_OUTBOUND_ALLOW: host,
    KARVON_TELEGRAM_TOKEN: '1:token',
    KARVON_TELEGRAM_CHAT: '-100123',
    KARVON_TELEGRAM_ROOT: `http://${host}`,
  })
  const { app, deps } = product
  admin = await signInAdmin(app)
  person = await createUser(app, admin, 'lola')
  await ensureConnectors(deps.db)
  const source_id = (await createSample(app, admin, cpaSources, { is_active: true })).id
  const mapping = { base_url: `http://${host}`, limits: { page_delay_ms: 0 } }
  const form = { name: 'Refusing', cpa_source_id: source_id, connector: '100k', mapping }
  const website = await callApi(app, admin, 'POST', `${cpaWebsites.path}/`, form)
  const ownValues = { source_id, login: 'aziz', pass: 'pass', api_key: '', token: 'stored-token' }
  const post = { url: `http://${host}`, extra: '8', login: 'karvon', pass: 'pass', is_active: true }
  ids = {
    website: website.json<{ id: number }>().id,
    credential: (await createSample(app, admin, sourceCredentials, ownValues)).id,
    account: (await createSample(app, admin, courierAccounts, post)).id,
  }
})
afterAll(async () => {
  await product.close()
  otherHost.close()
})

test.each([401, 403])('a refusal by an outside system, %s, does not refuse our caller', async (status) => {
  otherHost.answer = (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'www-authenticate': 'Bearer realm="theirs"' })
      .end(JSON.stringify({ ok: false, error_code: status, description: 'Unauthorized', message: 'No' }))
  const before = otherHost.connectionCount
  const { app, deps } = product
  const answers = {
    try: await callApi(app, admin, 'POST', `${cpaWebsites.path}/${ids.website}/try/`, {
      source_credential_id: ids.credential,
    }),
    'try an account': await callApi(app, admin, 'POST', `${cpaWebsites.path}/${ids.website}/try/`, {
      login: 'x',
      pass: 'x',
    }),
    run: await callApi(app, admin, 'POST', `${sourceCredentials.path}/${ids.credential}/run/`),
    'courier run': await callApi(app, admin, 'POST', `${courierAccounts.path}/${ids.account}/run/`),
    upload: await sendFile(app, person, '/api/parcel/files/upload/', {
      name: `a${status}.pdf`,
      content: buildPdf(),
    }),
    'telegram link': await callApi(app, person, 'POST', '/parcel/auth/telegram/', {
      current_password: getPassword('lola'),
    }),
  }
  await runSyncs(deps)
  const uploads = await callApi(app, admin, 'GET', '/api/admin/uploads/')
  const { id } = uploads.json<{ items: { id: number }[] }>().items[0] ?? {}
  const retryAnswer = await callApi(app, admin, 'POST', `/api/admin/uploads/${id}/retry/`)

  for (const [name, answer] of Object.entries({ ...answers, retried: retryAnswer })) {
    expect([401, 403], `${name} answered ${answer.statusCode} ${answer.body}`).not.toContain(
      answer.statusCode,
    )
    expect(answer.headers['www-authenticate'], name).toBeUndefined()
  }
  expect(answers.try.json()).toMatchObject({ sign_in: { ok: false } })
  expect(answers.upload.json()).toMatchObject({ sent_to_telegram: false })
  expect(otherHost.connectionCount, 'they sent requests').toBeGreaterThan(before)
  for (const as of [admin, person])
    expect((await callApi(app, as, 'GET', '/parcel/auth/me')).statusCode).toBe(200)
  const runs = await callApi(app, admin, 'GET', '/api/admin/sync-runs/?sort=-id')
  expect(runs.json<{ items: { status: string }[] }>().items.map((run) => run.status)).not.toContain('done')
})
