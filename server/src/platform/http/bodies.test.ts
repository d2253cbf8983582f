import { call } from '@karvon/contract/lib/call.ts'
import { DateTime } from '@karvon/contract/lib/schemas.ts'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { registerBodies } from './bodies.ts'
import { registerErrorHandler } from './error-handler.ts'
import { quoteLongNumbers } from './exact-json.ts'
import { serve } from './serve.ts'
import { createValidator } from './validation.ts'
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

test('only whole numbers that a double rounds are quoted, and not what is in a text', () => {
  const long = '9007199254740993'
  const accepted = `{"${long}":${long},"a":[-${long} , 9007199254740991,1.${long},${long}.5,${long}e1],"\\\\\\"${long}":"\\"${long}"}`
  expect(quoteLongNumbers(accepted)).toBe(
    accepted.replace(`:${long}`, `:"${long}"`).replace(`-${long}`, `"-${long}"`),
  )
  for (const broken of [`{${long}:1}`, `[0${long}]`, `[+${long}]`, `["${long}`])
    expect(quoteLongNumbers(broken)).toBe(broken)
})

test('numbers that no double holds are quoted', () => {
  const accepted = '{"tid":1e400,"a":[-1.5E+999 ,1e308,2e-400,1e005],"1e400":"1e400"}'
  expect(quoteLongNumbers(accepted)).toBe(
    accepted.replace(':1e400', ':"1e400"').replace('-1.5E+999', '"-1.5E+999"'),
  )
})

test('long numbers are quoted in less time than the body is parsed', () => {
  const body = `[9007199254740993${',0'.repeat(500_000)}]`
  const measure = (work: (text: string) => unknown) => {
    const start = performance.now()
    work(body)
    return performance.now() - start
  }
  // On a busy machine few of the rounds are undisturbed.
  const times = Array.from({ length: 15 }, () => ({
    quoting: measure(quoteLongNumbers),
    parsing: measure(JSON.parse),
  }))
  const shortest = (name: 'quoting' | 'parsing') => Math.min(...times.map((time) => time[name]))
  expect(shortest('quoting')).toBeLessThan(3 * shortest('parsing'))
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

test('a body with a list or an object of more than 2,000 entries at any depth is refused before its entries are checked', () => {
  const list = (length: number) => Array.from({ length }, () => '')
  const object = (length: number) => Object.fromEntries(list(length).map((entry, n) => [`key ${n}`, entry]))
  for (const create of [list, object]) {
    const accepted = create(2000)
    expect(() => refuseMalformed({ ids: accepted, deep: { ids: accepted } })).not.toThrow()
    expect(() => refuseMalformed(accepted)).not.toThrow()
    const refused = create(2001)
    for (const body of [{ ids: refused }, { ids: { deep: [refused] } }])
      expect(() => refuseMalformed(body)).toThrow('ids must have at most 2000 entries')
    expect(() => refuseMalformed(refused)).toThrow('body must have at most 2000 entries')
  }
})

test('a time of more than 64 characters is refused, because the check of a long text would block the process', () => {
  const validate = createValidator(Type.Object({ at: DateTime }), 'body')
  const buildTime = (digits: number) => ({ at: `2026-11-21T09:42:00.${'0'.repeat(digits)}+05:00` })
  expect(validate(buildTime(9))).toEqual({ value: buildTime(9) })
  expect(validate(buildTime(38))).toEqual({ value: buildTime(38) })
  expect(validate(buildTime(39))).toHaveProperty('error')
})
