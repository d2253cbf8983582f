import { execFile } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startProduct } from '@karvon/testkit/product.ts'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, TEST_TIMEZONE } from '../test/database.ts'
import { createTemporaryFolder } from '../test/folder.ts'
import { processEnv } from '../test/process-env.ts'

const command = join(import.meta.dirname, 'cli.ts')
const migrations = readdirSync(join(import.meta.dirname, 'platform', 'database', 'migrations')).toSorted()

test('karvon migrate applies the migrations, and a process with KARVON_MIGRATIONS=wait starts only then', async () => {
  const database = await createTestDatabase({ empty: true })
  const folder = createTemporaryFolder()
  onTestFinished(async () => {
    await database.drop()
    rmSync(folder, { recursive: true })
  })
  const env = { DATABASE_URL: database.url, KARVON_TIMEZONE: TEST_TIMEZONE }
  let isStarted = false
  const starting = startProduct(folder, { ...env, KARVON_MIGRATIONS: 'wait' }).then((product) => {
    isStarted = true
    return product
  })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const waiting = `select from pg_stat_activity where application_name = 'karvon migrate' and datname = current_database()`
  await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1)
  const { rows } = await client.query(`select to_regclass('schema_migrations') as there`)
  expect(rows).toEqual([{ there: null }])
  await client.end()
  expect(isStarted).toBe(false)

  const migrate = () =>
    promisify(execFile)(process.execPath, [command, 'migrate'], {
      env: { ...processEnv, ...env, KARVON_DATA: folder },
    })
  const first = await migrate()
  expect(first.stdout).toBe(`Applied: ${migrations.join(', ')}.\n`)
  expect(first.stderr).toContain(`The tables are created: ${migrations.length} migrations.`)
  expect((await migrate()).stdout).toBe('No migration is pending.\n')
  const product = await starting
  expect(product.output).toContain('Waiting until karvon migrate has applied 0001_people.sql.')
  await expect.poll(async () => (await fetch(`${product.url}/readyz`)).status).toBe(200)
  await product.stop()
})
