import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'

const allowedOrigin = 'https://desk.example.uz'
const otherOrigin = 'https://desk.example.uz.evil.example'
let open: Product
let closed: Product
beforeAll(async () => {
  open = await createTestApp({ KARVON_CORS_ORIGINS: `${allowedOrigin},http://localhost:5173` })
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
    const preflightAnswer = await preflight(open, allowedOrigin)
    expect(preflightAnswer.statusCode).toBe(204)
    expect(preflightAnswer.headers).toMatchObject({
      'access-control-allow-origin': allowedOrigin,
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': expect.stringContaining('authorization'),
    })
    const answer = await call(open, allowedOrigin)
    // The guard applies, and the other web may read the reason.
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['access-control-allow-origin']).toBe(allowedOrigin)
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    expect(answer.headers.vary).toContain('Origin')
  })

  test.each([otherOrigin, 'null', 'http://desk.example.uz', `${allowedOrigin}:8443`])(
    'the origin %s may not call',
    async (origin) => {
      expect((await preflight(open, origin)).headers['access-control-allow-origin']).toBeUndefined()
      expect((await call(open, origin)).headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  test('no origin may call if the settings name none', async () => {
    for (const answer of [await preflight(closed, allowedOrigin), await call(closed, allowedOrigin)])
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})
