import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorMessages } from '@karvon/contract/lib/error-messages.ts'
import { fieldMessages } from '@karvon/contract/lib/field-messages.ts'
import { formatMessage, type Message } from '@karvon/contract/lib/message.ts'
import type { Problem } from '@karvon/contract/lib/problem.ts'
import { offers } from '@karvon/contract/offers/offers.ts'
import { roles } from '@karvon/contract/roles/roles.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createSample } from '../../../test/sample.ts'
import { AppError } from './errors.ts'

let product: Product
let admin: Session
let offer: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  offer = (await createSample(product.app, admin, offers)).id
  await createSample(product.app, admin, roles, { code: 'buyer' })
})
afterAll(() => product.close())

const errorTexts = Object.entries(errorMessages).map(([code, { text }]) => [code, text] as const)
const messages: Record<string, Message> = { ...Object.fromEntries(errorTexts), ...fieldMessages }

test.each([
  ['an unknown row', 'GET', '/api/admin/offers/999999', 404, 'not_found', { noun: 'offer' }],
  ['an unknown address', 'GET', '/api/nothing', 404, 'no_such_address', undefined],
  [
    'a method that the address lacks',
    'DELETE',
    '/parcel/auth/me',
    405,
    'method_not_allowed',
    { method: 'DELETE' },
  ],
  ['a taken code', 'POST', '/api/admin/roles/', 409, 'already_exists', { label: 'Code' }],
  ['a stale update', 'PUT', 'offer', 409, 'edit_conflict', { noun: 'offer' }],
  ['an empty form', 'POST', '/api/admin/users/', 422, 'invalid', undefined],
  ['a value that is not a number', 'GET', '/api/admin/offers/?page=x', 422, 'invalid', undefined],
  ['a wrong password', 'POST', '/parcel/auth/login', 401, 'wrong_credentials', undefined],
  ['an unknown postback key', 'GET', '/api/postback/nobody', 404, 'postback_key_unknown', undefined],
] as const)(
  'the detail of %s follows from its code and parameters',
  async (_name, method, url, status, code, params) => {
    const bodies: Record<string, object> = {
      '/api/admin/roles/': { name: 'x', code: 'buyer' },
      '/parcel/auth/login': { username: 'admin', password: 'not this one' },
      offer: { name: 'x', updated_at: '2020-01-01T00:00:00Z' },
    }
    const path = url === 'offer' ? `/api/admin/offers/${offer}` : url
    const body = method === 'GET' || method === 'DELETE' ? undefined : (bodies[url] ?? {})
    const answer = await callApi(product.app, url === '/parcel/auth/login' ? null : admin, method, path, body)
    expect(answer.statusCode, answer.body).toBe(status)
    const problem = answer.json<Problem>()
    expect(problem).toMatchObject({ code, ...(params && { params }) })
    if (code === 'invalid') expect(problem.detail).toBe(problem.errors?.[0]?.message)
    else expect(formatMessage(messages[code] ?? '', problem.params)).toBe(problem.detail)
    for (const error of problem.errors ?? [])
      expect(formatMessage(messages[error.code] ?? '', error.params)).toBe(error.message)
  },
)

test('every code of an error is thrown somewhere', () => {
  const sources = readSources(join(import.meta.dirname, '../..'))
  const unusedCodes = Object.keys(messages).filter((code) => !sources.includes(`'${code}'`))
  expect(unusedCodes).toEqual([])
})

test('the types name the parameters of an error', () => {
  expect(new AppError('not_found', { noun: 'lead' }).problem()).toEqual({
    detail: 'No such lead.',
    code: 'not_found',
    params: { noun: 'lead' },
  })
  // @ts-expect-error The parameter is missing.
  expect(new AppError('not_found').message).toBe('No such {noun}.')
  // @ts-expect-error The parameter is misspelt.
  expect(new AppError('not_found', { name: 'lead' }).message).toBe('No such {noun}.')
  // @ts-expect-error The message has no parameters.
  expect(new AppError('forbidden', { noun: 'lead' }).status).toBe(403)
})

/** The text of all files of the server, without its tests. */
function readSources(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}
