import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'

const allowed = 'https://desk.example.uz'
const other = 'https://desk.example.uz.evil.example'
let open: Product
let closed: Product
beforeAll(async () => {
  open = await createTestApp({ KARVON_CORS_ORIGINS: `${allowed},http://localhost:5173` })
  closed = await createTestApp()
})
afterAll(async () => {
  await open.close()
  await closed.close()
})

const preflight = ({ app }: Product, origin: string) =>
  app.inject({
    method: 'OPTIONS',
    url: '/api/admin/offers/',
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,content-type,x-request-id',
    },
  })
const call = ({ app }: Product, origin: string) =>
  app.inject({ method: 'GET', url: '/api/admin/offers/', headers: { origin } })

describe('Other origins', () => {
  test('an origin named by the settings may call, without cookies', async () => {
    const preflightAnswer = await preflight(open, allowed)
    expect(preflightAnswer.statusCode).toBe(204)
    expect(preflightAnswer.headers).toMatchObject({
      'access-control-allow-origin': allowed,
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': expect.stringContaining('authorization'),
    })
    const answer = await call(open, allowed)
    // The guard applies, and the other web may read the reason.
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['access-control-allow-origin']).toBe(allowed)
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    expect(answer.headers.vary).toContain('Origin')
  })

  test.each([other, 'null', 'http://desk.example.uz', `${allowed}:8443`])(
    'the origin %s may not call',
    async (origin) => {
      expect((await preflight(open, origin)).headers['access-control-allow-origin']).toBeUndefined()
      expect((await call(open, origin)).headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  test('no origin may call if the settings name none', async () => {
    for (const answer of [await preflight(closed, allowed), await call(closed, allowed)])
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})
