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
import { ask, signIn } from '../../test/app.ts'
import { pdf } from '../../test/archives.ts'
import { openCanaryDesk, shown } from '../../test/canary-desk.ts'
import { sheetOf } from '../../test/exports.ts'
import { sendFile } from '../../test/files.ts'
import { createSample, sampleBody, type Row } from '../../test/sample.ts'
import { turnSecondFactorOn } from '../../test/second-factor.ts'

const desk = await openCanaryDesk()
const { product, admin, network, echo, echoUrl, canaries, words, key, said, log } = desk
const { credential, website, account, query, tell, secretBody, fetchNow } = desk
afterAll(() => desk.close())

const tried = () =>
  tell('POST', `${cpaWebsites.path}/${website.id}/try/`, { source_credential_id: credential.id })
/** Leads the source to another host, for which the secrets are typed anew. */
async function useNetwork(url: string, connector = '100k'): Promise<void> {
  await tell('PUT', `${cpaWebsites.path}/${website.id}/`, { mapping: desk.over(url), connector })
  const { pass, api_key, token } = words
  await tell('PUT', `${sourceCredentials.path}/${credential.id}/`, { pass, api_key, token })
}
const forgetToken = () => query('update source_credentials set token = null where id = $1', [credential.id])

describe('nothing tells a secret', () => {
  test('when all goes well', async () => {
    expect(await fetchNow(sourceCredentials, credential)).toBe('done')
    for (const token of network.tokens) canaries.watch('token of the network', token)
    expect(network.tokens).toHaveLength(1)
    expect(await tried()).toBe(200)
    expect(await fetchNow(courierAccounts, account)).toBe('done')
  })

  test('when a sign-in is refused', async () => {
    await tell('PUT', `${sourceCredentials.path}/${credential.id}/`, { login: 'nobody' })
    await forgetToken()
    expect(await fetchNow(sourceCredentials, credential)).toMatch(/^failed: /)
    await tried()
    await tell('PUT', `${courierAccounts.path}/${account.id}/`, { login: 'nobody' })
    expect(await fetchNow(courierAccounts, account)).toMatch(/^failed: /)
    await tell('PUT', `${sourceCredentials.path}/${credential.id}/`, { login: 'aziz', token: words.token })
  })

  // What came is sent back in a body, in headers, in an address, in an error's words, and as what it is not.
  const answers: Record<string, (told: string) => [number, Record<string, string>, string]> = {
    'an error': (told) => [500, {}, told],
    'a refusal': (told) => [
      403,
      { 'content-type': 'application/json' },
      JSON.stringify({ message: told, token: told }),
    ],
    'a redirect': (told) => [
      302,
      { location: `https://example.com/?token=${encodeURIComponent(told)}` },
      told,
    ],
    'a wait': (told) => [429, { 'retry-after': encodeURIComponent(told) }, told],
    'no JSON': (told) => [200, { 'content-type': 'application/json' }, `${told}{"broken`],
    'another JSON': (told) => [
      200,
      { 'content-type': 'application/json' },
      JSON.stringify({ ok: false, description: told, error: told }),
    ],
    'an XML refusal': (told) => [
      200,
      {},
      `<statusreq error="1" errormsg="${told.replaceAll(/[<>&"]/g, ' ')}"/>`,
    ],
    'a list of it': (told) => [
      200,
      {},
      JSON.stringify({ data: [{ id: 1, status: {}, stream_name: told }], meta: { last_page: 1 } }),
    ],
  }
  test.each(Object.entries(answers))('when it is answered with %s', async (_, answered) => {
    let asked = 0
    echo.answer = (request, response) => {
      asked += 1
      let told = `${request.url} ${request.headers.authorization ?? ''} `
      request.on('data', (piece: Buffer) => (told += piece.toString()))
      request.on('end', () => {
        const [status, headers, body] = answered(told)
        response.writeHead(status, headers).end(body)
      })
    }
    await useNetwork(echoUrl)
    for (const token of [words.token, null]) {
      if (token === null) await forgetToken()
      else await tell('PUT', `${sourceCredentials.path}/${credential.id}/`, { token })
      await fetchNow(sourceCredentials, credential)
      await tried()
    }
    const { pass, api_key, token } = words
    await tell('POST', `${cpaWebsites.path}/${website.id}/try/`, { login: 'x', pass, api_key, token })
    await tell('PUT', `${courierAccounts.path}/${account.id}/`, { url: echoUrl, pass: words.courier })
    await fetchNow(courierAccounts, account)
    // A chat that asked for a rest would be left alone.
    await query('delete from telegram_chats')
    const file = { name: `${answered.name}.pdf`, content: pdf() }
    const sent = await sendFile(product.app, admin, '/api/parcel/files/upload/', file)
    said.push({ where: 'upload', text: sent.body })
    await tell('GET', '/api/admin/uploads/')
    // Two runs, three tries, the courier and Telegram.
    expect(asked).toBeGreaterThanOrEqual(7)
  })

  test('when a link to the next page holds it, and is kept for later', async () => {
    const orders = {
      url: '/orders',
      query: { key: '{token}' },
      items: 'rows',
      paging: { by: 'next', next: 'next' },
      fields: { external_id: 'id', status: 'status', created_at: 'at' },
    }
    const description = { sign_in: { url: '/in', body: {}, token: 'token' }, orders }
    await createSample(product.app, admin, connectors, { code: 'linked', description })
    const asked: string[] = []
    let busy = true
    echo.answer = ({ url = '' }, response) => {
      asked.push(url)
      if (url.startsWith('/in')) return void response.end(JSON.stringify({ token: words.next }))
      if (busy && url.includes('page=2')) return void response.writeHead(429).end(url)
      const row = { id: 'L1', status: 'sold', at: '2026-11-20 10:00:00' }
      const next = url.includes('page=2') ? null : `${url}&page=2`
      response.end(JSON.stringify({ rows: [row], next }))
    }
    await useNetwork(echoUrl, 'linked')
    await forgetToken()
    expect(await fetchNow(sourceCredentials, credential)).toMatch(/^failed: /)
    const [state] = await query(`select progress::text from sync_states where progress is not null`)
    expect(state?.progress).toContain('page=2')
    expect(canaries.in(String(state?.progress))).toEqual([])
    busy = false
    expect(await fetchNow(sourceCredentials, credential)).toBe('done')
    const link = `/orders?key=${words.next}`
    expect(asked).toEqual(['/in', link, `${link}&page=2`, `${link}&page=2`])
  })

  test('when what is told is wrong', async () => {
    for (const of of resources) {
      const body = await secretBody(of)
      for (const [name, { kind }] of getWritableFields(of.fields)) {
        if (kind !== 'secret' && kind !== 'password') continue
        const secret = String(body[name])
        const wrong = [[secret], { [secret]: secret }, secret.repeat(200), `${secret}\0`, `${secret}\uD800`]
        for (const value of wrong)
          expect(await tell('POST', `${of.path}/`, { ...body, [name]: value })).toBeGreaterThanOrEqual(400)
        await tell('POST', `${of.path}/`, { [name]: secret })
        await tell('PUT', `${of.path}/1/`, { [name]: secret, [secret]: secret })
        for (const broken of [`{"${name}": "${secret}"`, `{"${name}": ${secret}}`, secret, `["${secret}"]`]) {
          const headers = { ...admin.headers, 'content-type': 'application/json' }
          const answer = await product.app.inject({
            method: 'POST',
            url: `${of.path}/`,
            headers,
            payload: broken,
          })
          expect(answer.statusCode).toBeGreaterThanOrEqual(400)
          said.push({ where: `broken ${of.name}`, text: answer.body })
        }
      }
    }
  })

  test('of a person', async () => {
    const { password } = words
    const body = { ...(await sampleBody(product.app, admin, users)), username: 'oygul', password }
    expect(await tell('POST', `${users.path}/`, body)).toBe(201)
    const oygul = await signIn(product.app, 'oygul', password)
    canaries.watch('session of a person', oygul.token)
    const twice = { ...body, email: 'another@example.uz' }
    expect(await tell('POST', `${users.path}/`, twice)).toBe(409)
    const change = {
      password: canaries.make('new password'),
      current_password: canaries.make('wrong password'),
    }
    expect(await tell('PUT', '/parcel/auth/profile', change, oygul)).toBe(422)
    expect(await tell('PUT', '/parcel/auth/profile', { ...change, current_password: password }, oygul)).toBe(
      200,
    )
    for (const username of ['oygul', 'nobody']) {
      const signing = { username, password: canaries.make(`wrong password of ${username}`) }
      expect(await tell('POST', '/parcel/auth/login', signing, null)).toBe(401)
    }
    const one = await signIn(product.app, 'oygul', change.password)
    const { phone, recovery } = await turnSecondFactorOn(product.app, one, change.password)
    canaries.watch('secret of a second factor', phone.secret)
    const watch = (codes: readonly string[]) => {
      for (const code of codes) {
        canaries.watch(`recovery code ${code}`, code)
        canaries.watch(`bare recovery code ${code}`, code.replaceAll('-', ''))
      }
    }
    watch(recovery)
    const signing = { username: 'oygul', password: change.password }
    expect(await tell('POST', '/parcel/auth/login', signing, null)).toBe(401)
    expect(await tell('POST', '/parcel/auth/login', { ...signing, code: phone.secret }, null)).toBe(401)
    expect(await tell('GET', '/parcel/auth/profile', undefined, one)).toBe(200)
    const given = { current_password: change.password, code: recovery[0] }
    const off = { ...given, code: recovery[0]?.slice(1) }
    expect(await tell('POST', '/parcel/auth/second-factor/off', off, one)).toBe(422)
    const renewed = await ask(product.app, one, 'POST', '/parcel/auth/second-factor/recovery-codes', given)
    watch(renewed.json<{ recovery_codes: string[] }>().recovery_codes)
    const unknown = { token: '', headers: { authorization: `Bearer ${canaries.make('no session')}` } }
    expect(await tell('GET', '/parcel/auth/me', undefined, unknown)).toBe(401)
  })

  test('of a postback', async () => {
    const at = `/api/postback/${key}`
    const hit = 'tid=7&status=sold'
    expect(await tell('GET', `${at}?${hit}&token=${key}`, undefined, null)).toBe(200)
    for (const name of ['token', 'secure', 'key'])
      expect(await tell('GET', `${at}?${hit}&${name}=${words.given}`, undefined, null)).toBe(403)
    expect(await tell('GET', `${at}/?x=${key}&status=sold`, undefined, null)).toBe(422)
    expect(await tell('POST', at, { tid: '8', status: 'sold', key: words.given }, null)).toBe(403)
    expect(await tell('GET', `/api/postback/${words.given}?${hit}`, undefined, null)).toBe(404)
    await tell('POST', `/api/postback/${key}/${key}?${key}`, undefined, null)
    const [source] = await query('select id from cpa_sources where postback_key = $1', [key])
    await tell('PUT', `${cpaSources.path}/${source?.id}/`, { name: 'Another', postback_key: words.given })
  })
})

describe('what was left behind', () => {
  const inSource = (where: string) => where.includes(cpaSources.path) || where === 'cpa_sources'
  /** Secrets in a text; the key of a source may stand in the source. */
  const found = ({ where, text }: { where: string; text: string }) =>
    canaries.in(text).filter((name) => name !== 'postback key' || !inSource(where))

  test('answers', () => {
    expect(said.length).toBeGreaterThan(200)
    for (const each of said) expect(found(each), each.where).toEqual([])
  })

  const listed = calls.filter(({ method, params }) => method === 'GET' && params === undefined)
  const asFile = ({ query: of }: Call) =>
    Object.hasOwn(((of ?? {}) as { properties?: object }).properties ?? {}, 'format')
  test.each(listed.map((call) => [call.path, call] as const))('%s, and as a file', async (path, call) => {
    const page = await ask(product.app, admin, 'GET', path)
    expect(found({ where: path, text: page.body })).toEqual([])
    if (!asFile(call)) return
    const csv = await ask(product.app, admin, 'GET', `${path}?format=csv`)
    const xlsx = await ask(product.app, admin, 'GET', `${path}?format=xlsx`)
    expect([csv.statusCode, xlsx.statusCode]).toEqual([200, 200])
    const cells = JSON.stringify(await sheetOf(xlsx.rawPayload))
    for (const text of [csv.body, cells]) expect(found({ where: path, text })).toEqual([])
  })

  test('each row, masked as it is promised', async () => {
    for (const of of resources) {
      const { items } = (await ask(product.app, admin, 'GET', `${of.path}/?per_page=200`)).json<{
        items: Row[]
      }>()
      for (const { id } of items) {
        const where = `${of.path}/${id}/`
        const { body } = await ask(product.app, admin, 'GET', where)
        expect(found({ where, text: body }), where).toEqual([])
      }
    }
    const row = await ask(product.app, admin, 'GET', `${sourceCredentials.path}/${credential.id}/`)
    const [one] = row.json<{ items: Row[] }>().items
    expect(one?.api_key).toBe(`${shown.slice(0, 4)}…`)
  })

  test('the documentation', async () => {
    const { body } = await ask(product.app, admin, 'GET', '/api/openapi.json')
    expect(body.length).toBeGreaterThan(10_000)
    expect(canaries.in(body)).toEqual([])
  })

  test('the log', () => {
    expect(log.filter((line) => line.includes('Answered')).length).toBeGreaterThan(100)
    for (const line of log) expect(canaries.in(line), line).toEqual([])
  })

  test('the database', async () => {
    const tables = await query(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    expect(tables.length).toBeGreaterThan(25)
    let rows = 0
    for (const { name = '' } of tables) {
      for (const { text = '' } of await query(`select t::text as text from "${name}" t`)) {
        rows += 1
        expect(found({ where: name, text }), `${name}: ${text}`).toEqual([])
      }
    }
    expect(rows).toBeGreaterThan(300)
  })
})
