import { gzipSync } from 'node:zlib'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { offers } from '@karvon/contract/offers/offers.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createSample, sampleBody } from '../../../test/sample.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const url = '/api/admin/offers'
const post = (type: string | null, payload: string | Buffer) =>
  product.app.inject({
    method: 'POST',
    url,
    headers: { ...admin.headers, ...(type !== null && { 'content-type': type }) },
    payload,
  })

test.each([
  ['broken JSON', 'application/json', '{"name": ', 400, 'malformed'],
  ['JSON in Latin-1', 'application/json', Buffer.from('{"name":"é"}', 'latin1'), 400, 'malformed'],
  ['a list', 'application/json', '[]', 422, 'invalid'],
  ['a bare text', 'application/json', '"x"', 422, 'invalid'],
  ['nothing', 'application/json', '', 422, 'invalid'],
  ['null', 'application/json', 'null', 422, 'invalid'],
  ['plain text', 'text/plain', 'x', 415, 'body_type_unsupported'],
  ['a form', 'application/x-www-form-urlencoded', 'name=x', 415, 'body_type_unsupported'],
  ['a body without a type', null, '{}', 415, 'body_type_unsupported'],
  ['over 1 MiB', 'application/json', `{"name":"${'x'.repeat(1024 * 1024)}"}`, 413, 'body_too_large'],
])('the body %s is refused with its own code', async (_name, type, payload, status, code) => {
  const answer = await post(type, payload)
  expect(answer.statusCode, answer.body).toBe(status)
  expect(answer.json()).toMatchObject({ code })
  expect(answer.json<{ detail: string }>().detail.length).toBeGreaterThan(5)
})

test('a compressed body is refused before it is read', async () => {
  const body = JSON.stringify(await sampleBody(product.app, admin, offers))
  const send = (encoding: string, payload: string | Buffer) =>
    product.app.inject({
      method: 'POST',
      url,
      headers: { ...admin.headers, 'content-type': 'application/json', 'content-encoding': encoding },
      payload,
    })
  for (const payload of [gzipSync(body), body]) {
    const answer = await send('gzip', payload)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      415,
      { detail: 'Send the body as application/json, without a content-encoding.' },
    ])
  }
  expect((await send('identity', body)).statusCode).toBe(201)
})

test('prototype keys in a body are dropped and do no harm', async () => {
  const body = JSON.stringify(await sampleBody(product.app, admin, offers))
  const answer = await post(
    'application/json',
    body.replace('{', '{"__proto__": {"price": -1}, "constructor": {"prototype": {"admin": true}}, '),
  )
  expect(answer.statusCode, answer.body).toBe(201)
  expect({}).not.toHaveProperty('admin')
})

test('a text of one line has neither line breaks nor tabs, and its limit counts characters', async () => {
  for (const text of ['a\nb', 'a\tb', 'a\u2028b'])
    for (const key of ['name', 'extra_id'])
      await expect(createSample(product.app, admin, offers, { [key]: text })).rejects.toThrow(
        'must be one line',
      )
  const name = '😀'.repeat(255)
  expect(await createSample(product.app, admin, offers, { name: `\n${name}\n` })).toMatchObject({ name })
  await expect(createSample(product.app, admin, offers, { name: `${name}😀` })).rejects.toThrow('at most 255')
})

test('an id has one spelling', async () => {
  const { id } = await createSample(product.app, admin, offers)
  const getStatus = async (address: string) =>
    (await product.app.inject({ url: address, headers: admin.headers })).statusCode
  expect(await getStatus(`${url}/${id}`)).toBe(200)
  for (const text of [`0${id}`, `+${id}`, `%20${id}`, `${id}.0`, `${id}e0`, `0x${id}`, '-0'])
    expect([await getStatus(`${url}/${text}`), await getStatus(`${url}/?source_id=${text}`)]).toEqual([
      422, 422,
    ])
})

test('texts of a body are trimmed, a numeric external id becomes text, and money keeps its limits and decimals', async () => {
  const row = await createSample(product.app, admin, offers, {
    name: '  Чай  ',
    extra_id: 4711,
    price: 9_999_999_999_999.99,
    affiliate_fee: 0,
  })
  expect(row).toMatchObject({ name: 'Чай', extra_id: '4711', price: 9_999_999_999_999.99, affiliate_fee: 0 })
  for (const price of [1_234_567_890_123.45, 0.07, 1.1, 4.35]) {
    expect(await createSample(product.app, admin, offers, { price })).toHaveProperty('price', price)
  }
  for (const price of [0.001, 0.010000001, 10_000_000_000_000, -0.01]) {
    await expect(createSample(product.app, admin, offers, { price })).rejects.toThrow('gave 422')
  }
})

test('a failed change leaves neither a row nor an audit entry', async () => {
  const row = await createSample(product.app, admin, offers)
  const readAuditRows = async () =>
    (await product.deps.db.selectFrom('audit_log').select('id').where('resource', '=', 'offers').execute())
      .length
  const before = await readAuditRows()
  const answer = await product.app.inject({
    method: 'POST',
    url: `${url}/${row.id}`,
    headers: admin.headers,
    payload: { name: 'Other', source_id: 987_654 },
  })
  expect(answer.statusCode).toBe(422)
  const after = await product.app.inject({ url: `${url}/${row.id}`, headers: admin.headers })
  expect(after.json()).toEqual(row)
  expect(await readAuditRows()).toBe(before)
})

/** The answer on a connection of its own, until it is closed. */
async function sendRaw(requestText: string): Promise<string> {
  if (!product.app.server.listening) await product.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = product.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.write(requestText)
  await once(socket, 'close')
  return answer
}

const endless = `host: x\r\n${'x: y\r\n'.repeat(5000)}\r\n`

test.each([
  ['nonsense', 'GARBAGE\r\n\r\n', 400],
  ['endless headers', `GET / HTTP/1.1\r\n${endless}`, 431],
])('%s in a raw request is answered with a JSON error', async (_name, requestText, status) => {
  const answer = await sendRaw(requestText)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'request_unreadable' })
})

test('an unreadable HEAD request is answered without a body', async () => {
  expect(await sendRaw(`HEAD / HTTP/1.1\r\n${endless}`)).toMatch(/^HTTP\/1.1 431 [^]*\r\n\r\n$/)
})

test.each([
  ['/api/parcel/parcels/all', 'date_from', 'date_to'],
  ['/api/admin/explore', 'date_from', 'date_to'],
  ['/api/admin/leads/', 'start_date', 'end_date'],
  ['/api/admin/report/daily', 'start_date', 'end_date'],
  ['/api/admin/audit/', 'start_date', 'end_date'],
])('the list %s refuses a period that ends before it starts', async (path, from, to) => {
  const get = (first: string, last: string) =>
    product.app.inject({ url: `${path}?${from}=${first}&${to}=${last}`, headers: admin.headers })
  expect((await get('2026-11-02', '2026-11-02')).statusCode).toBe(200)
  const answer = await get('2026-11-03', '2026-11-02')
  expect([answer.statusCode, answer.json()]).toMatchObject([
    422,
    { errors: [{ field: from, code: 'period_reversed', message: `${from} is after ${to}` }] },
  ])
})
