import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, firstAdmin, signInAdmin, type Product } from '../../../test/app.ts'
import { connectRawClient } from '../../../test/raw-client.ts'

let product: Product
const folder = mkdtempSync(join(tmpdir(), 'karvon-web-'))

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Karvon</title>')
  writeFileSync(join(folder, 'icon.svg'), '<svg/>')
  writeFileSync(join(folder, 'assets', 'main-abc.js'), 'export {}')
  writeFileSync(join(folder, '..', 'outside.txt'), 'secret')
  product = await createTestApp({}, { webFolder: folder })
  await product.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await product.close()
  rmSync(folder, { recursive: true })
  rmSync(join(folder, '..', 'outside.txt'))
})

const get = (url: string) => product.app.inject({ method: 'GET', url })

test.each([
  '/',
  '/login',
  '/parcels',
  '/settings/cpa-websites?tab=credentials',
  '/no/such/page',
  '/parcelsx',
])("%s answers the web's page, which is not cached", async (url) => {
  const answer = await get(url)
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-cache'])
  expect(answer.headers['content-type']).toContain('text/html')
  expect(answer.body).toContain('<title>Karvon')
})

test('assets are cached for a year, and a missing asset answers 404', async () => {
  const asset = await get('/assets/main-abc.js')
  expect([asset.statusCode, asset.headers['cache-control']]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ])
  expect(asset.headers['content-type']).toContain('javascript')
  expect((await get('/icon.svg')).headers['cache-control']).toBe('no-cache')
  const missing = await get('/assets/main-old.js')
  expect([missing.statusCode, missing.headers['cache-control']]).toEqual([404, 'no-store'])
})

test('a range of a file is answered, and one outside of it gets a 416 that names the size and is not cached', async () => {
  const getRange = (range: string) =>
    product.app.inject({ method: 'GET', url: '/assets/main-abc.js', headers: { range } })
  const part = await getRange('bytes=0-5')
  expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, 'export', 'bytes 0-5/9'])
  const refusal = await getRange('bytes=90-')
  expect([refusal.statusCode, refusal.json<{ code: string }>().code]).toEqual([416, 'range_not_satisfiable'])
  expect(refusal.headers).toMatchObject({ 'content-range': 'bytes */9', 'cache-control': 'no-store' })
})

test('a file that is not the expected one is answered with 412, which is not cached', async () => {
  const headers = { 'if-match': '"other"' }
  const refusal = await product.app.inject({ method: 'GET', url: '/assets/main-abc.js', headers })
  expect([refusal.statusCode, refusal.json<{ code: string }>().code]).toEqual([412, 'precondition_failed'])
  expect(refusal.headers['cache-control']).toBe('no-store')
})

test.each([
  '/../outside.txt',
  '/..%2foutside.txt',
  '/assets/..%2f..%2foutside.txt',
  '/%2e%2e/outside.txt',
  '//etc/passwd',
  '/%00',
  '/%ff',
  '/assets%5c..',
])("the path %s reads no file outside of the web's folder", async (url) => {
  const answer = await get(url)
  expect(answer.statusCode).toBeLessThan(500)
  expect(answer.body).not.toContain('secret')
  expect(answer.body).not.toContain('root:')
})

test('an unknown call answers 404 in JSON, and a wrong method 405', async () => {
  for (const url of ['/api', '/api/nope', '/parcel/nope', '/api/admin/offers/1/2', '/parcel']) {
    const answer = await get(url)
    expect([answer.statusCode, answer.json()]).toEqual([
      404,
      { detail: 'Nothing exists at this address.', code: 'no_such_address' },
    ])
  }
  const answer = await product.app.inject({ method: 'DELETE', url: '/api/admin/offers/' })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  expect(answer.json()).toMatchObject({ code: 'method_not_allowed' })
  expect((await get('/parcel/auth/login')).statusCode).toBe(405)
  expect((await product.app.inject({ method: 'POST', url: '/login' })).statusCode).toBe(404)
})

test.each([
  ['GET http://a/assets/main-abc.js', /^HTTP\/1\.1 200 .*content-type: application\/javascript/s],
  ['GET HTTP://a/api/nope?x=y', /^HTTP\/1\.1 404 .*"no_such_address"/s],
  ['GET https://a', /^HTTP\/1\.1 200 .*<title>Karvon/s],
  ['DELETE http://a/api/admin/offers/', /^HTTP\/1\.1 405 .*allow: GET, HEAD, POST/s],
])('%s is answered like its path', async (start, expected) => {
  const client = connectRawClient(product.app, `${start} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
  await expect.poll(() => client.isClosed()).toBe(true)
  expect(client.getReceived()).toMatch(expected)
})

test('every answer has the security headers', async () => {
  for (const url of ['/', '/api/app/settings', '/api/nope', '/assets/main-abc.js', '/healthz']) {
    const { headers } = await get(url)
    const policy = String(headers['content-security-policy'])
    for (const part of [
      "script-src 'self';",
      "frame-ancestors 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "connect-src 'self';",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]) {
      expect(policy, url).toContain(part)
    }
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
    expect(headers).not.toHaveProperty('strict-transport-security')
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers['x-request-id']).toMatch(/^[\w-]+$/)
  }
  for (const url of ['/api/app/settings', '/api/nope', '/parcel/auth/me']) {
    expect((await get(url)).headers['cache-control'], url).toBe('no-store')
  }
})

test('a web built for another host may connect only to that host', async () => {
  const otherFolder = mkdtempSync(join(tmpdir(), 'karvon-web-'))
  writeFileSync(join(otherFolder, 'index.html'), '<!doctype html><title>Karvon</title>')
  writeFileSync(join(otherFolder, '.api-host'), 'https://api.example.uz:8443/base')
  const otherProduct = await createTestApp({}, { webFolder: otherFolder })
  try {
    const { headers } = await otherProduct.app.inject({ method: 'GET', url: '/' })
    expect(headers['content-security-policy']).toContain("connect-src 'self' https://api.example.uz:8443;")
  } finally {
    await otherProduct.close()
    rmSync(otherFolder, { recursive: true })
  }
})

test('a request keeps a valid x-request-id, and an invalid one is replaced', async () => {
  const id = async (requestId: string) =>
    (await product.app.inject({ url: '/healthz', headers: { 'x-request-id': requestId } })).headers[
      'x-request-id'
    ]
  expect(await id('abc-123')).toBe('abc-123')
  expect(await id('a b<script>')).toMatch(/^[\da-f-]{36}$/)
})

test('the documentation uses only its own scripts', async () => {
  const page = await get('/api/docs')
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(String(page.headers['content-security-policy'])).toContain("script-src 'self';")
  expect(page.body).not.toMatch(/<script(?![^>]*src=)[^>]*>[^<]/)
  for (const [, source] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const url = new URL(source ?? '', 'http://x/api/docs/')
    expect(url.host).toBe('x')
    expect((await get(url.pathname)).statusCode, url.pathname).toBe(200)
  }
})

test('metrics name routes and not addresses', async () => {
  const admin = await signInAdmin(product.app)
  await callApi(product.app, admin, 'GET', '/api/admin/offers/424242')
  const answer = await get('/metrics')
  expect(answer.headers['content-type']).toContain('text/plain')
  expect(answer.body).toMatch(
    /http_request_duration_seconds_count\{method="GET",route="\/api\/admin\/offers\/:id",status="404"\} 1/,
  )
  expect(answer.body).toContain('database_connections{state="idle"}')
  // In labels; the figures have chance digits.
  expect(answer.body).not.toMatch(/"[^"]*424242/)
})

test('the log holds no token and no password of a request', async () => {
  const lines: string[] = []
  const loggedProduct = await createTestApp(
    { KARVON_LOG: 'trace' },
    {},
    { write: (line: string) => lines.push(line) },
  )
  try {
    const admin = await signInAdmin(loggedProduct.app)
    await callApi(loggedProduct.app, admin, 'POST', '/api/admin/users', {
      username: 'x',
      password: 'the-secret-password',
    })
    await callApi(loggedProduct.app, null, 'POST', '/parcel/auth/login', {
      username: 'x',
      password: 'the-secret-password',
    })
    await loggedProduct.deps.pool.query('alter table offers rename column price to prise')
    expect((await callApi(loggedProduct.app, admin, 'GET', '/api/admin/offers')).statusCode).toBe(500)
    const log = lines.join('')
    expect(log).toContain('Unexpected error')
    for (const secret of [admin.token, firstAdmin.password, 'the-secret-password'])
      expect(log).not.toContain(secret)
  } finally {
    await loggedProduct.close()
  }
})
