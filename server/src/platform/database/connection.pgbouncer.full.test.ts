import { rm } from 'node:fs/promises'
import { startProduct } from '@karvon/testkit/product.ts'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { pgbouncerProgram, startPgbouncer } from '../../../test/pgbouncer.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** The address of a new database behind PgBouncer, and its own. */
async function openBehindPgbouncer(
  poolMode: 'session' | 'transaction',
): Promise<{ url: string; directUrl: string }> {
  const database = await createTestDatabase()
  const pgbouncer = await startPgbouncer(poolMode)
  cleanups.push(
    () => database.drop(),
    () => pgbouncer.stop(),
  )
  const [, name = ''] = /\/(\w+)\?/.exec(database.url) ?? []
  return { url: pgbouncer.buildUrl(name), directUrl: database.url }
}

const timezone = 'Asia/Tashkent'

test.skipIf(pgbouncerProgram === null)(
  'behind PgBouncer in session mode every session has the settings, also after others used it',
  async () => {
    const { url } = await openBehindPgbouncer('session')
    expect(await migrate(url, { timezone })).toEqual([])
    for (const [zone, day] of [
      ['America/Sao_Paulo', '2026-11-20'],
      [timezone, '2026-11-21'],
    ] as const) {
      const pool = openPool(url, { timezone: zone, max: 2, statementTimeout: 1234 })
      const text = `select (timestamptz '2026-11-20 20:30Z')::date as day, current_setting('statement_timeout') as timeout`
      expect((await pool.query(text)).rows).toEqual([{ day, timeout: '1234ms' }])
      await pool.end()
    }
  },
)

test.skipIf(pgbouncerProgram === null)('the product starts behind PgBouncer in session mode', async () => {
  const { url } = await openBehindPgbouncer('session')
  const folder = createTemporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  const product = await startProduct(folder, { DATABASE_URL: url })
  await expect.poll(async () => (await fetch(`${product.url}/readyz`)).status).toBe(200)
  await product.stop()
  expect(product.end?.code).toBe(0)
})

test.skipIf(pgbouncerProgram === null)(
  'PgBouncer in transaction mode is refused with the remedy, also while other clients use it',
  async () => {
    const { url } = await openBehindPgbouncer('transaction')
    await expect(migrate(url, { timezone })).rejects.toThrow('KARVON_DATABASE_DIRECT_URL')
    const otherPool = openPool(url, { timezone, max: 4, isBehindPooler: true })
    const traffic = new AbortController()
    const queries = Array.from({ length: 4 }, async () => {
      while (!traffic.signal.aborted) await otherPool.query('select 1')
    })
    for (let attempt = 0; attempt < 50; attempt += 1)
      await expect(migrate(url, { timezone })).rejects.toThrow('pool_mode = session')
    traffic.abort()
    await Promise.all(queries)
    await otherPool.end()
  },
)

test.skipIf(pgbouncerProgram === null)(
  'behind PgBouncer in transaction mode each transaction has the settings of its process, whatever session it gets',
  async () => {
    const { url } = await openBehindPgbouncer('transaction')
    const day = `select (timestamptz '2026-11-20 20:30Z')::date as day, $1::int as n`
    const days = [
      ['America/Sao_Paulo', '2026-11-20'],
      [timezone, '2026-11-21'],
    ] as const
    await Promise.all(
      days.map(async ([zone, expected]) => {
        const pool = openPool(url, { timezone: zone, max: 8, isBehindPooler: true })
        const answers = await Promise.all(
          Array.from({ length: 600 }, (_, n) => pool.query({ name: 'day', text: day, values: [n] })),
        )
        expect(answers.map(({ rows }) => rows)).toEqual(answers.map((_, n) => [{ day: expected, n }]))
        await pool.end()
      }),
    )
  },
)

test.skipIf(pgbouncerProgram === null)(
  'the product starts behind PgBouncer in transaction mode with the direct URL, and not without it',
  async () => {
    const { url, directUrl } = await openBehindPgbouncer('transaction')
    const folder = createTemporaryFolder()
    onTestFinished(() => rm(folder, { recursive: true }))
    const product = await startProduct(folder, { DATABASE_URL: url, KARVON_DATABASE_DIRECT_URL: directUrl })
    await expect.poll(async () => (await fetch(`${product.url}/readyz`)).status).toBe(200)
    await product.stop()
    expect(product.end?.code).toBe(0)
    await expect(startProduct(folder, { DATABASE_URL: url })).rejects.toThrow('KARVON_DATABASE_DIRECT_URL')
  },
)
