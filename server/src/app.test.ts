import type { Call } from '@karvon/contract/lib/call.ts'
import { calls } from '@karvon/contract/registry.ts'
import { users } from '@karvon/contract/users/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signIn, signInAdmin, type Product, type Session } from '../test/app.ts'
import { fillPath, trimSlash } from '../test/call-paths.ts'
import { createSample } from '../test/sample.ts'

let product: Product
let admin: Session
let regular: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  await createSample(product.app, admin, users, {
    username: 'regular',
    password: 'regular-password',
    role_id: 2,
  })
  regular = await signIn(product.app, 'regular', 'regular-password')
})
afterAll(() => product.close())

const methodsOf = (call: Call) =>
  call.alternateMethod === undefined ? [call.method] : [call.method, call.alternateMethod]

describe('Declared calls', () => {
  test('every declared call is served, and no other route but the documentation', () => {
    const declaredRoutes = calls.flatMap((call) =>
      methodsOf(call).map((method) => `${method} ${trimSlash(call.path)}`),
    )
    const there = product.app.knownRoutes.filter(
      (route) => !/^(GET|HEAD) \/api\/(docs|openapi\.json)/.test(route),
    )
    expect(there.filter((route) => !route.startsWith('HEAD ')).toSorted()).toEqual(declaredRoutes.toSorted())
  })

  test('every call has a unique name', () => {
    const names = calls.map((call) => call.id)
    expect(new Set(names).size).toBe(names.length)
  })

  test('every call is in the OpenAPI document, with a bearer token if it has a guard', async () => {
    const document = (await callApi(product.app, admin, 'GET', '/api/openapi.json')).json<{
      paths: Record<string, Record<string, { operationId: string; security?: unknown }>>
    }>()
    for (const call of calls) {
      const path = trimSlash(call.path).replaceAll(/:(\w+)/g, '{$1}')
      const operation = document.paths[path]?.[call.method.toLowerCase()]
      expect(operation?.operationId, call.id).toBe(call.id)
      expect(operation?.security !== undefined).toBe(call.guard !== 'public')
    }
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', (_name, call) => {
  test('the guard of a call answers 401 or 403 to all other callers before the body is read', async () => {
    for (const method of methodsOf(call)) {
      for (const url of [trimSlash(fillPath(call)), `${trimSlash(fillPath(call))}/`]) {
        // The previous case has ended the session.
        if ((await callApi(product.app, regular, 'GET', '/parcel/auth/me')).statusCode === 401)
          regular = await signIn(product.app, 'regular', 'regular-password')
        const anonymous = await callApi(product.app, null, method, url)
        const wrong = await callApi(
          product.app,
          { token: 'x', headers: { authorization: 'Bearer x' } },
          method,
          url,
        )
        const signedIn = await callApi(product.app, regular, method, url)
        if (call.guard === 'public') {
          for (const answer of [anonymous, wrong, signedIn])
            expect([401, 403]).not.toContain(answer.statusCode)
          continue
        }
        for (const answer of [anonymous, wrong]) {
          expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
          expect(answer.json()).toEqual({ detail: 'Sign in to continue.', code: 'unauthenticated' })
        }
        if (call.guard === 'admin') {
          expect(signedIn.statusCode).toBe(403)
          expect(signedIn.json()).toEqual({ detail: 'Only an administrator may do this.', code: 'forbidden' })
        } else expect([401, 403]).not.toContain(signedIn.statusCode)
      }
    }
  })
})
