import { rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProduct } from '@karvon/testkit/product.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/database.ts'
import { createTemporaryFolder } from '../test/folder.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A request's status and the header `connection` of its answer. */
const request = (agent: Agent, url: string) =>
  new Promise<{ status: number | undefined; connection: string | undefined; retryAfter: string | undefined }>(
    (resolve, reject) =>
      get(url, { agent }, (answer) => {
        answer.resume().once('end', () =>
          resolve({
            status: answer.statusCode,
            connection: answer.headers.connection,
            retryAfter: answer.headers['retry-after'],
          }),
        )
      }).once('error', reject),
  )

test('a process that is stopped answers every request while it drains, and closes the connections', async () => {
  const folder = createTemporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  const product = await startProduct(folder, {
    DATABASE_URL: database.url,
    KARVON_PROCESS: 'web',
    KARVON_DRAIN_SECONDS: '5',
  })
  const { url } = product
  const keepAliveAgent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await request(keepAliveAgent, `${url}/api/app/settings`)).toMatchObject({
    status: 200,
    connection: 'keep-alive',
  })

  const startTime = performance.now()
  const stop = product.stop()
  await expect.poll(() => product.output).toContain('SIGTERM')
  expect(await request(keepAliveAgent, `${url}/api/app/settings`)).toMatchObject({
    status: 200,
    connection: 'close',
  })
  const fresh = new Agent({ keepAlive: false })
  expect(await request(fresh, `${url}/readyz`)).toMatchObject({ status: 503, retryAfter: '2' })
  expect(await request(fresh, `${url}/healthz`)).toMatchObject({ status: 200 })
  while (performance.now() - startTime < 1500) {
    expect(await request(keepAliveAgent, `${url}/api/app/settings`)).toMatchObject({
      status: 200,
      connection: 'close',
    })
    await sleep(20)
  }
  await stop
  expect(product.end).toEqual({ code: 0, signal: null })
  expect(performance.now() - startTime).toBeGreaterThan(5000)
})
