import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../test/app.ts'
import { maxUnknownKeyPostbacksPerAddress } from '../platform/limits/limits.ts'

let product: Product

beforeAll(async () => {
  product = await createTestApp({
    KARVON_REGISTRATION: 'live',
    KARVON_PASSWORD_RESET: 'live',
    KARVON_SMTP_URL: 'smtp://127.0.0.1:9',
    KARVON_MAIL_FROM: 'desk@example.uz',
    KARVON_PUBLIC_URL: 'https://desk.example.uz',
  })
})
afterAll(() => product.close())

const post = (url: string, payload: (n: number) => object) => (n: number) =>
  ({ method: 'POST', url, payload: payload(n) }) satisfies InjectOptions

// Each request concerns another account or order, so that only its address can be limited.
const limitedCalls: [string, number, (n: number) => InjectOptions][] = [
  ['sign-ins', 50, post('/parcel/auth/login', (n) => ({ username: `nobody-${n}`, password: 'wrong' }))],
  ['tracking', 20, (n) => ({ method: 'GET', url: `/api/track/no-${n}?phone=1234` })],
  [
    'postbacks without a source',
    maxUnknownKeyPostbacksPerAddress,
    (n) => ({ method: 'GET', url: `/api/postback/no-${n}` }),
  ],
  ['requests for a mail', 10, post('/parcel/auth/forgot-password', (n) => ({ email: `p${n}@example.uz` }))],
  [
    'registrations',
    5,
    post('/parcel/auth/register', (n) => ({
      username: `person-${n}`,
      email: `p${n}@example.uz`,
      password: 'a-password-of-theirs',
    })),
  ],
]

test.each(limitedCalls)(
  'the limit of %s counts all addresses of one /64 together',
  async (_, free, request) => {
    const send = (n: number, network: string) =>
      product.app.inject({ ...request(n), remoteAddress: `2001:db8:0:${network}:${n.toString(16)}::1` })
    const statuses = []
    for (let n = 0; n < free + 5; n += 1) statuses.push((await send(n, '1')).statusCode)
    expect(statuses[0]).not.toBe(429)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect((await send(free + 9, '2')).statusCode).not.toBe(429)
  },
)
