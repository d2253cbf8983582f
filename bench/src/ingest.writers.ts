import { readConfig } from '@karvon/server/config.ts'
import { openPool } from '@karvon/server/platform/database/pool.ts'
import { openDeps, openLog } from '@karvon/server/deps.ts'
import { startJobs } from '@karvon/server/platform/jobs/jobs.ts'
import { ingestLeads } from '@karvon/server/domains/leads/leads.ingest.ts'
import { foldDeltas } from '@karvon/server/domains/reports/reports.fold.queries.ts'
import { reportsJobs } from '@karvon/server/domains/reports/reports.jobs.ts'
import { segmentsJobs } from '@karvon/server/domains/segments/segments.jobs.ts'
import type { Batch } from './ingest.batches.ts'
import { removeTriggers, readStatuses, upsertPlain } from './ingest.plain.ts'
import { compareTotals } from './leads.check.ts'
import { readPostgresVersion, timezone } from './databases.ts'

type Pool = ReturnType<typeof openPool>

/** A contender that writes batches of leads. */
export interface LeadWriter {
  pool: Pool
  /** Batches of each writer so far. */
  serial: number
  ingest(batch: Batch): Promise<unknown>
  /** Folds the deltas that are left. */
  fold(): Promise<void>
  close(): Promise<void>
}

/** The state of the product's database after the bench. */
export interface IngestCheck {
  deadlocks: number
  differing: number
  rows: number
  postgres: string
}

/** Writes by the product's ingest. The jobs that fold deltas and build segments run as in the product. */
export async function openProductWriter(
  url: string,
): Promise<LeadWriter & { check(): Promise<IngestCheck> }> {
  const config = readConfig({ KARVON_TIMEZONE: timezone, KARVON_LOG: 'warn' })
  const deps = await openDeps(config, {
    url,
    ring: { keys: [Buffer.alloc(32)] },
    log: openLog(config.logLevel),
  })
  const { db, pool } = deps
  const jobs = startJobs(deps, [...reportsJobs(deps), ...segmentsJobs(deps)])
  const deadlocksBefore = await countDeadlocks(pool)
  return {
    pool,
    serial: 1,
    ingest: ({ sourceId, leads }) => ingestLeads(db, { sourceId, leads, origin: 'connector' }),
    // The job waits up to a second before it folds what is left.
    fold: async () => {
      while (await hasDeltas(pool)) await foldDeltas(db)
    },
    check: async () => {
      const checkPool = openPool(url, { timezone, statementTimeout: 0, max: 1 })
      try {
        const deadlocks = (await countDeadlocks(checkPool)) - deadlocksBefore
        return {
          ...(await compareTotals(checkPool)),
          deadlocks,
          postgres: await readPostgresVersion(checkPool),
        }
      } finally {
        await checkPool.end()
      }
    },
    close: async () => {
      await jobs.stop()
      await deps.close()
    },
  }
}

async function countDeadlocks(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ deadlocks: number }>(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  )
  return rows[0]?.deadlocks ?? Number.NaN
}

async function hasDeltas(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ waits: boolean }>('select exists (select from lead_deltas) as waits')
  return rows[0]?.waits !== false
}

/** Writes by a plain upsert. */
export async function openPlainWriter(url: string): Promise<LeadWriter> {
  const pool = openPool(url, { timezone, statementTimeout: 0 })
  const statuses = await readStatuses(pool)
  await removeTriggers(pool)
  return {
    pool,
    serial: 1,
    ingest: (batch) => upsertPlain(pool, statuses, batch),
    fold: async () => {},
    close: () => pool.end(),
  }
}
