import type { Call } from '@karvon/contract/lib/call.ts'
import { getWritableFields } from '@karvon/contract/lib/resource.ts'
import { connectors } from '@karvon/contract/connectors/connectors.ts'
import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { calls, resources } from '@karvon/contract/registry.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { users } from '@karvon/contract/users/users.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { callApi, signIn } from '../../test/app.ts'
import { buildPdf } from '../../test/archives.ts'
import { syncAnswers } from '../../test/canary.answers.ts'
import { createCanaryFixture, visiblePrefix } from '../../test/canary.fixture.ts'
import { requestWithdrawals } from '../../test/canary.withdrawals.ts'
import { readSheet } from '../../test/exports.ts'
import { sendFile } from '../../test/files.ts'
import { createSample, sampleBody, type Row } from '../../test/sample.ts'
import { turnOnSecondFactor } from '../../test/second-factor.ts'

const fixture = await createCanaryFixture()
const { product, admin, network, echo, echoUrl, canaries, secrets, key, answers, log } = fixture
const { credential, website, account, query, send, secretBody, fetchNow } = fixture
afterAll(() => fixture.close())

const sendTry = () =>
  send('POST', `${cpaWebsites.path}/${website.id}/try/`, { source_credential_id: credential.id })
/** Changes the source to another host, which requires the secrets again. */
async function useNetwork(url: string, connector = '100k'): Promise<void> {
  await send('PUT', `${cpaWebsites.path}/${website.id}/`, { mapping: fixture.over(url), connector })
  const { pass, api_key, token } = secrets
  await send('PUT', `${sourceCredentials.path}/${credential.id}/`, { pass, api_key, token })
}
const forgetToken = () => query('update source_credentials set token = null where id = $1', [credential.id])

describe('Secrets in use', () => {
  test('a successful sync shows no secret', async () => {
    expect(await fetchNow(sourceCredentials, credential)).toBe('done')
    for (const token of network.tokens) canaries.add('token of the network', token)
    expect(network.tokens).toHaveLength(1)
    expect(await sendTry()).toBe(200)
    expect(await fetchNow(courierAccounts, account)).toBe('done')
  })

  test('a sync whose sign-in is refused shows no secret', async () => {
    await send('PUT', `${sourceCredentials.path}/${credential.id}/`, { login: 'nobody' })
    await forgetToken()
    expect(await fetchNow(sourceCredentials, credential)).toMatch(/^failed: /)
    await sendTry()
    await send('PUT', `${courierAccounts.path}/${account.id}/`, { login: 'nobody' })
    expect(await fetchNow(courierAccounts, account)).toMatch(/^failed: /)
    await send('PUT', `${sourceCredentials.path}/${credential.id}/`, { login: 'aziz', token: secrets.token })
  })

  test.each(Object.entries(syncAnswers))(
    'a sync answered with %s shows no secret',
    async (_, buildAnswer) => {
      let requests = 0
      echo.answer = (request, response) => {
        requests += 1
        let requestText = `${request.url} ${request.headers.authorization ?? ''} `
        request.on('data', (piece: Buffer) => (requestText += piece.toString()))
        request.on('end', () => {
          const [status, headers, body] = buildAnswer(requestText)
          response.writeHead(status, headers).end(body)
        })
      }
      await useNetwork(echoUrl)
      for (const token of [secrets.token, null]) {
        if (token === null) await forgetToken()
        else await send('PUT', `${sourceCredentials.path}/${credential.id}/`, { token })
        await fetchNow(sourceCredentials, credential)
        await sendTry()
      }
      const { pass, api_key, token } = secrets
      await send('POST', `${cpaWebsites.path}/${website.id}/try/`, { login: 'x', pass, api_key, token })
      await send('PUT', `${courierAccounts.path}/${account.id}/`, { url: echoUrl, pass: secrets.courier })
      await fetchNow(courierAccounts, account)
      // A chat with a requested wait would get no message.
      await query('delete from telegram_chats')
      const file = { name: `${buildAnswer.name}.pdf`, content: buildPdf() }
      const answer = await sendFile(product.app, admin, '/api/parcel/files/upload/', file)
      answers.push({ where: 'upload', text: answer.body })
      await send('GET', '/api/admin/uploads/')
      // Two runs, three tries, the courier and Telegram.
      expect(requests).toBeGreaterThanOrEqual(7)
    },
  )

  test('a sync whose next-page link holds a secret shows none', async () => {
    const orders = {
      url: '/orders',
      query: { key: '{token}' },
      items: 'rows',
      paging: { by: 'next', next: 'next' },
      fields: { external_id: 'id', status: 'status', created_at: 'at' },
    }
    const description = { sign_in: { url: '/in', body: {}, token: 'token' }, orders }
    await createSample(product.app, admin, connectors, { code: 'linked', description })
    const paths: string[] = []
    let busy = true
    echo.answer = ({ url = '' }, response) => {
      paths.push(url)
      if (url.startsWith('/in')) return void response.end(JSON.stringify({ token: secrets.linkToken }))
      if (busy && url.includes('page=2')) return void response.writeHead(429).end(url)
      const isLast = url.includes('page=2')
      const row = { id: isLast ? 'L2' : 'L1', status: 'sold', at: '2026-11-20 10:00:00' }
      const next = isLast ? null : `${url}&page=2`
      response.end(JSON.stringify({ rows: [row], next }))
    }
    await useNetwork(echoUrl, 'linked')
    await forgetToken()
    expect(await fetchNow(sourceCredentials, credential)).toMatch(/^failed: /)
    const [state] = await query(`select progress::text from sync_states where progress is not null`)
    expect(state?.progress).toContain('page=2')
    expect(canaries.findIn(String(state?.progress))).toEqual([])
    busy = false
    expect(await fetchNow(sourceCredentials, credential)).toBe('done')
    const link = `/orders?key=${secrets.linkToken}`
    // After a change of the description, the run reads all orders again.
    expect(paths.slice(0, 4)).toEqual(['/in', link, `${link}&page=2`, `${link}&page=2`])
  })

  test('a request with an invalid secret shows none of it', async () => {
    for (const of of resources) {
      const body = await secretBody(of)
      for (const [name, { kind }] of getWritableFields(of.fields)) {
        if (kind !== 'secret' && kind !== 'password') continue
        const secret = String(body[name])
        const wrong = [[secret], { [secret]: secret }, secret.repeat(200), `${secret}\0`, `${secret}\uD800`]
        for (const value of wrong)
          expect(await send('POST', `${of.path}/`, { ...body, [name]: value })).toBeGreaterThanOrEqual(400)
        await send('POST', `${of.path}/`, { [name]: secret })
        await send('PUT', `${of.path}/1/`, { [name]: secret, [secret]: secret })
        for (const brokenBody of [
          `{"${name}": "${secret}"`,
          `{"${name}": ${secret}}`,
          secret,
          `["${secret}"]`,
        ]) {
          const headers = { ...admin.headers, 'content-type': 'application/json' }
          const answer = await product.app.inject({
            method: 'POST',
            url: `${of.path}/`,
            headers,
            payload: brokenBody,
          })
          expect(answer.statusCode).toBeGreaterThanOrEqual(400)
          answers.push({ where: `broken ${of.name}`, text: answer.body })
        }
      }
    }
  })

  test('sign-in, profile and password calls show no secret of a person', async () => {
    const { password } = secrets
    const body = { ...(await sampleBody(product.app, admin, users)), username: 'oygul', password }
    expect(await send('POST', `${users.path}/`, body)).toBe(201)
    const oygul = await signIn(product.app, 'oygul', password)
    canaries.add('session of a person', oygul.token)
    const twice = { ...body, email: 'another@example.uz' }
    expect(await send('POST', `${users.path}/`, twice)).toBe(409)
    const change = {
      password: canaries.create('new password'),
      current_password: canaries.create('wrong password'),
    }
    expect(await send('PUT', '/parcel/auth/profile', change, oygul)).toBe(422)
    expect(await send('PUT', '/parcel/auth/profile', { ...change, current_password: password }, oygul)).toBe(
      200,
    )
    for (const username of ['oygul', 'nobody']) {
      const signing = { username, password: canaries.create(`wrong password of ${username}`) }
      expect(await send('POST', '/parcel/auth/login', signing, null)).toBe(401)
    }
    const session = await signIn(product.app, 'oygul', change.password)
    const { authenticator: app, recovery } = await turnOnSecondFactor(product.app, session, change.password)
    canaries.add('secret of a second factor', app.secret)
    const watch = (codes: readonly string[]) => {
      for (const code of codes) {
        canaries.add(`recovery code ${code}`, code)
        canaries.add(`bare recovery code ${code}`, code.replaceAll('-', ''))
      }
    }
    watch(recovery)
    const signing = { username: 'oygul', password: change.password }
    expect(await send('POST', '/parcel/auth/login', signing, null)).toBe(401)
    expect(await send('POST', '/parcel/auth/login', { ...signing, code: app.secret }, null)).toBe(401)
    expect(await send('GET', '/parcel/auth/profile', undefined, session)).toBe(200)
    const proof = { current_password: change.password, code: recovery[0] }
    const off = { ...proof, code: recovery[0]?.slice(1) }
    expect(await send('POST', '/parcel/auth/second-factor/off', off, session)).toBe(422)
    const codesUrl = '/parcel/auth/second-factor/recovery-codes'
    const renewal = await callApi(product.app, session, 'POST', codesUrl, proof)
    watch(renewal.json<{ recovery_codes: string[] }>().recovery_codes)
    const unknownSession = {
      token: '',
      headers: { authorization: `Bearer ${canaries.create('no session')}` },
    }
    expect(await send('GET', '/parcel/auth/me', undefined, unknownSession)).toBe(401)
  })

  test('a postback shows no secret', async () => {
    const at = `/api/postback/${key}`
    const params = 'tid=7&status=sold'
    expect(await send('GET', `${at}?${params}&token=${key}`, undefined, null)).toBe(200)
    for (const name of ['token', 'secure', 'key'])
      expect(await send('GET', `${at}?${params}&${name}=${secrets.given}`, undefined, null)).toBe(403)
    expect(await send('GET', `${at}/?x=${key}&status=sold`, undefined, null)).toBe(422)
    expect(await send('POST', at, { tid: '8', status: 'sold', key: secrets.given }, null)).toBe(403)
    expect(await send('GET', `/api/postback/${secrets.given}?${params}`, undefined, null)).toBe(404)
    await send('POST', `/api/postback/${key}/${key}?${key}`, undefined, null)
    const [source] = await query('select id from cpa_sources where postback_key = $1', [key])
    await send('PUT', `${cpaSources.path}/${source?.id}/`, { name: 'Another', postback_key: secrets.given })
  })

  test('a withdrawal shows its payment details only in the registry', async () => {
    expect(await requestWithdrawals(fixture)).toEqual({
      registry: ['payment details, approved'],
      metrics: [],
    })
  })
})

describe('Secrets afterwards', () => {
  const inSource = (where: string) => where.includes(cpaSources.path) || where === 'cpa_sources'
  /** Secrets in a text; the key of a source is allowed in the source, and payment details in the registry. */
  const inRegistry = (where: string) => where.startsWith('/api/admin/payment-registries/')
  const findCanaries = ({ where, text }: { where: string; text: string }) =>
    canaries
      .findIn(text)
      .filter((name) => name !== 'postback key' || !inSource(where))
      .filter((name) => !name.startsWith('payment details') || !inRegistry(where))

  test('no recorded answer holds a secret', () => {
    expect(answers.length).toBeGreaterThan(200)
    for (const answer of answers) expect(findCanaries(answer), answer.where).toEqual([])
  })

  const listCalls = calls.filter(({ method, params }) => method === 'GET' && params === undefined)
  const asFile = ({ query: of }: Call) =>
    Object.hasOwn(((of ?? {}) as { properties?: object }).properties ?? {}, 'format')
  test.each(listCalls.map((call) => [call.path, call] as const))('%s shows no secret', async (path, call) => {
    const page = await callApi(product.app, admin, 'GET', path)
    expect(findCanaries({ where: path, text: page.body })).toEqual([])
    if (!asFile(call)) return
    const csv = await callApi(product.app, admin, 'GET', `${path}?format=csv`)
    const xlsx = await callApi(product.app, admin, 'GET', `${path}?format=xlsx`)
    expect([csv.statusCode, xlsx.statusCode]).toEqual([200, 200])
    const cells = JSON.stringify(await readSheet(xlsx.rawPayload))
    for (const text of [csv.body, cells]) expect(findCanaries({ where: path, text })).toEqual([])
  })

  test('each row shows its secrets masked', async () => {
    for (const of of resources) {
      const { items } = (await callApi(product.app, admin, 'GET', `${of.path}/?per_page=200`)).json<{
        items: Row[]
      }>()
      for (const { id } of items) {
        const where = `${of.path}/${id}/`
        const { body } = await callApi(product.app, admin, 'GET', where)
        expect(findCanaries({ where, text: body }), where).toEqual([])
      }
    }
    const row = await callApi(product.app, admin, 'GET', `${sourceCredentials.path}/${credential.id}/`)
    const [firstRow] = row.json<{ items: Row[] }>().items
    expect(firstRow?.api_key).toBe(`${visiblePrefix.slice(0, 4)}…`)
  })

  test('the OpenAPI document holds no secret', async () => {
    const { body } = await callApi(product.app, admin, 'GET', '/api/openapi.json')
    expect(body.length).toBeGreaterThan(10_000)
    expect(canaries.findIn(body)).toEqual([])
  })

  test('the log holds no secret', () => {
    expect(log.filter((line) => line.includes('Answered')).length).toBeGreaterThan(100)
    for (const line of log) expect(canaries.findIn(line), line).toEqual([])
  })

  test('no row of the database holds a plain secret', async () => {
    const tables = await query(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    expect(tables.length).toBeGreaterThan(25)
    let rows = 0
    for (const { name = '' } of tables) {
      for (const { text = '' } of await query(`select t::text as text from "${name}" t`)) {
        rows += 1
        expect(findCanaries({ where: name, text }), `${name}: ${text}`).toEqual([])
      }
    }
    expect(rows).toBeGreaterThan(300)
  })
})
