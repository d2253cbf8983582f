import { Counter, Gauge, type CounterConfiguration, type Registry } from 'prom-client'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { failuresBeforePause, type AccountColumn, type SyncKind } from './syncs.kind.ts'

const kindNames: Readonly<Record<AccountColumn, string>> = {
  source_credential_id: 'cpa',
  courier_account_id: 'courier',
}
const statuses = ['done', 'partial', 'failed'] as const
/** The metrics of rows, each with the counts of a run that it sums up. */
const rowCounters: Readonly<Record<string, readonly string[]>> = {
  taken: ['rows'],
  changed: ['created', 'updated'],
  unmapped: ['unmapped'],
  unreadable: ['unreadable'],
}

/** The counters of the runs that this process finished, and of their rows. */
export interface SyncCounters {
  countRun(
    column: AccountColumn,
    status: (typeof statuses)[number],
    counts: Readonly<Record<string, number>>,
  ): void
}

/**
 * Gets the counters of a registry, and creates them on the first call. Labels name kinds and never accounts, so that the
 * number of series does not depend on the number of accounts.
 */
export function getSyncCounters(registry: Registry): SyncCounters {
  const runs = getCounter(registry, {
    name: 'karvon_sync_runs_total',
    help: 'Runs that this process ended, by what was fetched and how they ended',
    labelNames: ['kind', 'status'],
  })
  const rows = getCounter(registry, {
    name: 'karvon_sync_rows_total',
    help: 'Rows of the runs that this process ended: taken, changed by them, with words that nothing maps, unreadable',
    labelNames: ['kind', 'what'],
  })
  for (const kind of Object.values(kindNames)) {
    for (const status of statuses) runs.inc({ kind, status }, 0)
    for (const what of Object.keys(rowCounters)) rows.inc({ kind, what }, 0)
  }
  return {
    countRun(column, status, counts) {
      const kind = kindNames[column]
      runs.inc({ kind, status })
      for (const [what, names] of Object.entries(rowCounters))
        rows.inc(
          { kind, what },
          names.reduce((sum, name) => sum + (counts[name] ?? 0), 0),
        )
    },
  }
}

function getCounter(registry: Registry, config: CounterConfiguration<string>): Counter {
  const known = registry.getSingleMetric(config.name)
  return known instanceof Counter ? known : new Counter({ ...config, registers: [registry] })
}

/** Minimum time between two queries of the gauges, in milliseconds. */
const collectInterval = 1000

/** Registers the gauges of active accounts, for all processes together. They are absent without the database. */
export function registerSyncGauges(registry: Registry, db: Db, kinds: readonly SyncKind[]): void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['kind'], registers: [registry], collect: () => refresh() })
  const accounts = gauge('karvon_sync_accounts', 'Accounts that are to be fetched')
  const paused = gauge('karvon_sync_paused_accounts', 'Accounts that rest after too many failures in a row')
  const lag = gauge(
    'karvon_sync_lag_seconds',
    'Seconds since the last run without any failure, of the account where that is the longest ago',
  )
  const read = async () => {
    for (const kind of kinds) {
      const figures = await readFigures(db, kind)
      const labels = { kind: kindNames[kind.column] }
      accounts.set(labels, figures.accounts)
      paused.set(labels, figures.paused)
      lag.set(labels, figures.lag)
    }
  }
  let reading = Promise.resolve()
  let readAt = Number.NEGATIVE_INFINITY
  const refresh = (): Promise<void> => {
    if (performance.now() - readAt >= collectInterval) {
      readAt = performance.now()
      reading = read().catch(() => {
        for (const each of [accounts, paused, lag]) each.reset()
      })
    }
    return reading
  }
}

async function readFigures(
  db: Db,
  kind: SyncKind,
): Promise<{ accounts: number; paused: number; lag: number }> {
  const active = await kind.findActiveAccounts(db)
  const { rows } = await sql<{ paused: number; lag: number }>`
    select count(*) filter (where failures >= ${failuresBeforePause} and paused_until > now())::integer as paused,
      coalesce(extract(epoch from now() - min(good_at)), 0)::float8 as lag
    from sync_states where ${sql.ref(kind.column)} = any(${active}::bigint[])`.execute(db)
  const { paused = 0, lag = 0 } = rows[0] ?? {}
  return { accounts: active.length, paused, lag }
}
