import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '@karvon/server/config.ts'
import { openPool } from '@karvon/server/platform/database/pool.ts'
import { openDeps, openLog } from '@karvon/server/deps.ts'
import { startJobs } from '@karvon/server/platform/jobs/jobs.ts'
import { ingestLeads } from '@karvon/server/domains/leads/leads.ingest.ts'
import { reportsJobs } from '@karvon/server/domains/reports/reports.jobs.ts'
import type { Batch } from './intake.batches.ts'
import { makePlain, statusesOf, upsertPlain } from './intake.plain.ts'
import { compareTotals } from './leads.check.ts'
import { timezone } from './leads.cluster.ts'

type Pool = ReturnType<typeof openPool>

/** Who takes batches in. */
export interface Taker {
  pool: Pool
  /** Batches of each writer so far. */
  serial: number
  take(batch: Batch): Promise<unknown>
  /** Resolves when nothing is left to do for what was taken. */
  drain(): Promise<void>
  close(): Promise<void>
}

/** What the own side's database came to. */
export interface Judgement {
  deadlocks: number
  differing: number
  rows: number
  postgres: string
}

/** The product's intake, with its fold running beside it as in the product. */
export async function openOwn(url: string): Promise<Taker & { judge(): Promise<Judgement> }> {
  const config = readConfig({ KARVON_TIMEZONE: timezone, KARVON_LOG: 'warn' })
  const deps = await openDeps(config, url, { keys: [Buffer.alloc(32)] }, openLog(config.logLevel))
  const { db, pool, jobTrigger } = deps
  const fold = reportsJobs(deps)
  const jobs = startJobs(pool, deps.log, jobTrigger, fold)
  const before = await deadlocksOf(pool)
  return {
    pool,
    serial: 1,
    take: ({ sourceId, leads }) => ingestLeads(db, sourceId, leads, { origin: 'connector' }),
    drain: async () => {
      for (const { name } of fold) jobTrigger.emit(name)
      while (await waits(pool)) await sleep(5)
    },
    judge: async () => {
      const patient = openPool(url, { timezone, statementTimeout: 0, max: 1 })
      try {
        const { rows } = await patient.query<{ server_version: string }>('show server_version')
        const deadlocks = (await deadlocksOf(patient)) - before
        return { ...(await compareTotals(patient)), deadlocks, postgres: rows[0]?.server_version ?? '' }
      } finally {
        await patient.end()
      }
    },
    close: async () => {
      await jobs.stop()
      await deps.close()
    },
  }
}

async function deadlocksOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ deadlocks: number }>(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  )
  return rows[0]?.deadlocks ?? Number.NaN
}

async function waits(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ waits: boolean }>('select exists (select from lead_deltas) as waits')
  return rows[0]?.waits !== false
}

/** The plain upsert. */
export async function openPlain(url: string): Promise<Taker> {
  const pool = openPool(url, { timezone, statementTimeout: 0 })
  const statuses = await statusesOf(pool)
  await makePlain(pool)
  return {
    pool,
    serial: 1,
    take: (batch) => upsertPlain(pool, statuses, batch),
    drain: async () => {},
    close: () => pool.end(),
  }
}
