import { call } from '@karvon/contract/lib/call.ts'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { registerBodies } from './bodies.ts'
import { registerErrorHandler } from './error-handler.ts'
import { serve } from './serve.ts'
import { refuseMalformed } from './wellformed.ts'

test('prototype keys are removed from a JSON body at any depth', async () => {
  const app = Fastify()
  registerBodies(app)
  app.post('/', async ({ body }) => JSON.stringify(body))
  const payload =
    '{"a": {"__proto__": {"admin": true}, "b": [{"constructor": {"prototype": {"admin": true}}}]}}'
  const headers = { 'content-type': 'application/json' }
  const answer = await app.inject({ method: 'POST', url: '/', headers, payload })
  expect(answer.body).toBe('{"a":{"b":[{}]}}')
})

test('a handler gets only the declared keys of query and body', async () => {
  const declaredCall = call({
    id: 'test.picked',
    summary: 'Test',
    method: 'POST',
    path: '/test/',
    guard: 'public',
    query: Type.Object({ page: Type.Optional(Type.Integer()) }),
    body: Type.Object({ name: Type.String() }),
  })
  const app = Fastify()
  registerErrorHandler(app)
  registerBodies(app)
  app.decorateRequest('identity', null)
  serve(app, declaredCall, async ({ query, body }) => ({ query, body }))
  const url = '/test?page=2&is_admin=true'
  const answer = await app.inject({
    method: 'POST',
    url,
    payload: { name: 'Lola', role_id: 1, is_active: true },
  })
  expect(answer.json()).toEqual({ query: { page: 2 }, body: { name: 'Lola' } })
})

test.each([
  ['NUL in a value', { name: 'a\0b' }],
  ['NUL in a key', { 'a\0b': 1 }],
  ['NUL below', { name: [{ deep: 'a\0' }] }],
  ['half a pair', { name: '\ud800' }],
  ['half a pair in a key below', { name: { '\udfff': 1 } }],
])('a body with %s is refused', (_name, value) => {
  expect(() => refuseMalformed(value)).toThrow('contains a character that cannot be stored')
})

test('a body with more than 32 levels is refused', () => {
  const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)])
  expect(() => refuseMalformed({ json: nest(32) })).not.toThrow()
  expect(() => refuseMalformed({ json: nest(33) })).toThrow('is nested too deeply')
})
