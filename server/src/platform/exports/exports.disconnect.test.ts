import { expect, test, vi } from 'vitest'
import { createTestAppOn, signInAdmin } from '../../../test/app.ts'
import { createTestDatabase } from '../../../test/database.ts'

test('a download that its reader cancels before the first row is not logged as a failure', async () => {
  await using cleanups = new AsyncDisposableStack()
  const database = await createTestDatabase()
  cleanups.defer(() => database.drop())
  const lines: string[] = []
  const log = { write: (line: string) => void lines.push(line) }
  const { app, deps, close } = await createTestAppOn(database.url, { KARVON_LOG: 'warn' }, {}, log)
  cleanups.defer(close)
  const admin = await signInAdmin(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  const client = await deps.pool.connect()
  cleanups.defer(() => client.release())
  await client.query('begin')
  await client.query('lock table offers')
  const countWaiting = async () => {
    const text = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'declare%'`
    return (await deps.pool.query(text)).rowCount
  }
  const reader = new AbortController()
  const download = fetch(`${url}/api/admin/offers/?format=csv`, { ...admin, signal: reader.signal })
  await vi.waitUntil(async () => (await countWaiting()) === 1, 30_000)
  reader.abort()
  await expect(download).rejects.toThrow('aborted')
  await vi.waitUntil(async () => (await countWaiting()) === 0, 30_000)
  await client.query('rollback')
  // The log of a request is written before the next one of its app is answered.
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(lines).toEqual([])
})
