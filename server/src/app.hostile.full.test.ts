import type { Call } from '@karvon/contract/lib/call.ts'
import { calls } from '@karvon/contract/registry.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../test/app.ts'
import { fillPath, trimSlash } from '../test/call-paths.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

/** Whether the call ends the session that makes it. */
const endsSessions = (call: Call) => /logout|sessions\.end|profile\.update/.test(call.id)

describe.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', (_name, call) => {
  // A sign-out would end the token of the next case.
  test.skipIf(endsSessions(call))(
    'a hostile value in the path, query or body is answered with less than 500',
    async () => {
      const properties = propertiesOf(call)
      const values = [
        '%00',
        '%F0%9F%92%A5',
        '-1',
        '1e400',
        "'",
        '%25',
        '9'.repeat(300),
        '0000-00-00',
        '[]',
        '__proto__',
      ]
      for (const key of [...properties, '__proto__', 'a[b]']) {
        for (const value of values) {
          const answer = await callApi(
            product.app,
            admin,
            call.method,
            `${trimSlash(fillPath(call))}?${key}=${value}`,
          )
          expect(answer.statusCode, `${key}=${value}: ${answer.body}`).toBeLessThan(500)
        }
      }
      if (call.path.includes(':')) {
        for (const id of [
          '0',
          '-1',
          'abc',
          '1e99',
          '9'.repeat(30),
          '%00',
          '%FF',
          '..%2f',
          '1.5',
          '__proto__',
        ]) {
          const answer = await callApi(product.app, admin, call.method, trimSlash(fillPath(call, id)))
          expect(answer.statusCode, `${id}: ${answer.body}`).toBeLessThan(500)
          expect(answer.statusCode, id).toBeGreaterThanOrEqual(400)
        }
      }
      if (call.method === 'GET') return
      for (const [type, payload] of bodies) {
        const headers = { ...admin.headers, ...(type !== '' && { 'content-type': type }) }
        const answer = await product.app.inject({
          method: call.method,
          url: trimSlash(fillPath(call)),
          headers,
          payload,
        })
        expect(answer.statusCode, `${type} ${payload.slice(0, 40)}: ${answer.body}`).toBeLessThan(500)
      }
    },
  )
})

function propertiesOf(call: Call): string[] {
  const { properties = {} } = (call.query ?? {}) as { properties?: object }
  return Object.keys(properties)
}

const json = 'application/json'
const bodies: [string, string][] = [
  [json, ''],
  [json, '{'],
  [json, 'null'],
  [json, '[]'],
  [json, '"text"'],
  [json, '5'],
  [json, '{"__proto__": {"admin": true}}'],
  [json, '{"constructor": {"prototype": {"admin": true}}}'],
  [json, `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  [json, `{"name": ${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
  ['application/x-www-form-urlencoded', 'a=1&__proto__=2'],
  ['multipart/form-data; boundary=x', '--x\r\nbroken'],
  ['multipart/form-data', 'no boundary'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="../../etc/passwd\0"\r\n\r\nhi\r\n--x--\r\n',
  ],
  ['text/plain', 'hello'],
  ['application/xml', '<a/>'],
  ['nonsense', 'hello'],
  ['', 'hello'],
]
