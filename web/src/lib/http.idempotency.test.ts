import { afterEach, beforeEach, expect, test } from 'vitest'
import { login } from '@karvon/contract/auth/auth.ts'
import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import { offers } from '@karvon/contract/offers/offers.ts'
import { uploadFile } from '@karvon/contract/uploads/uploads.ts'
import { getIdempotencyKey, setIdempotencyKeySupport } from './http.idempotency.ts'

const { create, list, update } = resourceCalls(offers)
const key = (body: string | FormData, address = '/offers/') => getIdempotencyKey(create, address, body)
const textOf = (of: ReturnType<typeof key>) => of?.headers['Idempotency-Key']

beforeEach(() => setIdempotencyKeySupport(true))
afterEach(() => setIdempotencyKeySupport(false))

test('a key is sent only to a host that supports keys, with calls that accept one', () => {
  setIdempotencyKeySupport(false)
  expect(key('{}')).toBeNull()
  setIdempotencyKeySupport(true)
  expect(getIdempotencyKey(list, '/offers/', undefined)).toBeNull()
  expect(getIdempotencyKey(login, '/login', '{}')).toBeNull()
  expect(textOf(getIdempotencyKey(update, '/offers/1', '{}'))).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/)
})

test('a repeat of an answered request gets a new key', () => {
  for (const [status, code] of [
    [201, undefined],
    [422, 'invalid'],
    [409, 'conflict'],
  ] as const) {
    const first = key('{"name":"a"}')
    first?.reportAnswer(status, code)
    const next = key('{"name":"a"}')
    expect(textOf(next)).not.toBe(textOf(first))
    next?.reportAnswer(201, undefined)
  }
})

test('a repeat of a request without an answer keeps its key while its content is the same', () => {
  for (const [status, code] of [
    [0, undefined],
    [502, undefined],
    [503, 'unavailable'],
    [409, 'in_progress'],
  ] as const) {
    const first = key('{"name":"b"}')
    first?.reportAnswer(status, code)
    expect(textOf(key('{"name":"c"}'))).not.toBe(textOf(first))
    expect(textOf(key('{"name":"b"}', '/other/'))).not.toBe(textOf(first))
    const again = key('{"name":"b"}')
    expect(textOf(again)).toBe(textOf(first))
    again?.reportAnswer(201, undefined)
  }
})

test("a form's key depends on its fields and its file", () => {
  const form = (name: string, comment: string) => {
    const body = new FormData()
    body.set('file', new File(['x'], name, { lastModified: 5 }))
    body.set('description', comment)
    return body
  }
  const keyOf = (body: FormData) => textOf(getIdempotencyKey(uploadFile, '/upload', body))
  const first = keyOf(form('a.pdf', 'one'))
  expect(keyOf(form('a.pdf', 'one'))).toBe(first)
  expect(keyOf(form('b.pdf', 'one'))).not.toBe(first)
  expect(keyOf(form('a.pdf', 'two'))).not.toBe(first)
})
