import { findFreePort } from '@karvon/testkit/free-port.ts'
import type { InjectOptions } from 'fastify'
import { expect, test, vi } from 'vitest'
import { createTestApp, type Product } from '../../test/app.ts'

async function withProduct(env: Record<string, string>, work: (product: Product) => Promise<void>) {
  const product = await createTestApp(env)
  try {
    await work(product)
  } finally {
    await product.close()
  }
}
const status = async ({ app }: Product, options: InjectOptions = {}) =>
  (await app.inject({ url: '/metrics', ...options })).statusCode

test('without a token metrics are answered only to this machine, and not through a proxy on it', () =>
  withProduct({}, async (product) => {
    for (const remoteAddress of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
      expect(await status(product, { remoteAddress })).toBe(200)
    for (const remoteAddress of ['10.0.0.1', '::2', '127.0.0.1.example'])
      expect(await status(product, { remoteAddress })).toBe(403)
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip'])
      expect(await status(product, { headers: { [name]: '127.0.0.1' } })).toBe(403)
  }))

test('metrics are answered from anywhere with the token', () =>
  withProduct({ KARVON_METRICS_TOKEN: 'a-token-for-metrics' }, async (product) => {
    expect(await status(product)).toBe(401)
    expect(await status(product, { headers: { authorization: 'Bearer another' } })).toBe(401)
    const right = { headers: { authorization: 'Bearer a-token-for-metrics' }, remoteAddress: '10.0.0.1' }
    expect(await status(product, right)).toBe(200)
  }))

test('metrics have no sample of the event loop before its first measurement', () =>
  withProduct({}, async ({ app }) => {
    const readSamples = async () =>
      (await app.inject('/metrics')).body.split('\n').filter((line) => !line.startsWith('#'))
    const delays = /^nodejs_eventloop_lag_(?:min|max|mean|stddev|p50|p90|p99)_seconds [\d.e-]+$/
    const first = await readSamples()
    expect(first.filter((line) => / nan$/i.test(line))).toEqual([])
    expect(first.filter((line) => line.startsWith('nodejs_eventloop_lag_'))).toEqual([
      'nodejs_eventloop_lag_seconds 0',
    ])
    await vi.waitFor(
      async () => expect((await readSamples()).filter((line) => delays.test(line))).toHaveLength(7),
      { timeout: 30_000, interval: 1000 },
    )
  }))

test('metrics with a separate port are answered only on this port', async () => {
  const port = await findFreePort()
  await withProduct({ KARVON_METRICS_PORT: String(port) }, async (product) => {
    await product.app.listen({ port: 0, host: '127.0.0.1' })
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('held{what="works"} 0'),
    ])
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
    expect(await status(product)).toBe(403)
  })
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow('fetch failed')
})
