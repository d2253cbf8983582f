import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '@karvon/server/platform/database/embedded.ts'
import { openPool } from '@karvon/server/platform/database/pool.ts'
import { startProcess, type NodeProcess } from '@karvon/testkit/node-process.ts'
import { admin } from './leads.cluster.ts'
import { listChildren, readTimesByProcess, sumBetween } from './processor.ts'
import type { StandaloneBench } from './standalone.ts'
import { readPostgresVersion, timezone } from './databases.ts'

/** Per second, and per second of one core. */
const limits = { queries: 1, processor: 0.002 }
/** Seconds. In the first ones V8 collects the garbage of the start, twice. In a measurement every idle job checks for work twice. */
const times = { start: 250, measured: 90 }
const accounts = 10

const startProgram = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))

const addAccountsSql = `with source as (
    insert into cpa_sources (name, url) values ('Network', 'https://network.example') returning id
  ), website as (
    insert into cpa_websites (name, cpa_source_id, connector) select 'Network', id, '100k' from source
  ), accounts as (
    insert into source_credentials (name, user_id, source_id)
    select n::text, (select min(id) from users), source.id from source, generate_series(1, ${accounts}) n returning id
  )
  insert into sync_states (source_credential_id, next_run_at) select id, now() + interval '1 day' from accounts`

/** The transactions of the database. A statement outside of a transaction is one, and so is a new connection. */
const countSql = `select (xact_commit + xact_rollback)::float8 as queries from pg_stat_database
  where datname = current_database()`

/** A web and a worker with accounts that are not due: queries and processor time a second. */
export const idleBench: StandaloneBench = {
  name: 'idle',
  async run() {
    const cleanup: (() => unknown)[] = []
    try {
      const folder = mkdtempSync(path.join(tmpdir(), 'karvon-idle-'))
      cleanup.push(() => rmSync(folder, { recursive: true, force: true }))
      const database = await startEmbedded({ folder, log: () => {} })
      cleanup.push(() => database.stop())
      const pool = openPool(database.url, { timezone, max: 1 })
      cleanup.push(() => pool.end())
      const start = async (name: string): Promise<NodeProcess> => {
        const child = await startProcess(startProgram, {
          env: {
            ...process.env,
            DATABASE_URL: database.url,
            KARVON_DATA: folder,
            KARVON_PROCESS: name,
            KARVON_TIMEZONE: timezone,
            KARVON_ADMIN_PASSWORD: admin.password,
            PORT: '0',
            HOST: '127.0.0.1',
          },
        })
        cleanup.push(() => child.stop())
        return child
      }
      const processes = [await start('web'), await start('worker')]
      await pool.query(addAccountsSql)
      await sleep(times.start * 1000)
      // The program of `npm start` has the product as its child.
      const pids = processes.map(({ pid }) => listChildren(pid)[0] ?? pid)
      const read = async () => ({
        queries: (await pool.query<{ queries: number }>(countSql)).rows[0]?.queries ?? 0,
        times: readTimesByProcess(pids),
        at: performance.now() / 1000,
      })
      const before = await read()
      await sleep(times.measured * 1000)
      const after = await read()
      const seconds = after.at - before.at
      const queries = (after.queries - before.queries) / seconds
      const processor = sumBetween(before.times, after.times) / 1000 / seconds
      const text = [
        `A web and a worker with ${accounts} accounts that are not due, over ${seconds.toFixed(0)} s:`,
        `${queries.toFixed(2)} queries a second (at most ${limits.queries}),`,
        `${(processor * 100).toFixed(2)} % of a core (at most ${limits.processor * 100} %)`,
      ].join(' ')
      const isMet = queries <= limits.queries && processor <= limits.processor
      return { text, isMet, postgres: await readPostgresVersion(pool) }
    } finally {
      for (let end = cleanup.pop(); end !== undefined; end = cleanup.pop()) await end()
    }
  },
}
