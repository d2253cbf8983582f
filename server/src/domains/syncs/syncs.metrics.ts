import { Counter, type CounterConfiguration, type Registry } from 'prom-client'
import type { Db } from '../../platform/database/pool.ts'
import { registerDatabaseGauges } from '../../platform/metrics/metrics.gauges.ts'
import type { AccountColumn, SyncKind } from './syncs.kind.ts'
import { measureAccounts } from './syncs.queries.ts'

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

const labelNames = ['kind']
const gauges = {
  accounts: { name: 'karvon_sync_accounts', help: 'Accounts that are to be fetched', labelNames },
  paused: {
    name: 'karvon_sync_paused_accounts',
    help: 'Accounts that rest after too many failures in a row',
    labelNames,
  },
  lag: {
    name: 'karvon_sync_lag_seconds',
    help: 'Seconds since the last run without any failure, of the account where that is the longest ago',
    labelNames,
  },
}

/** Registers the gauges of active accounts, for all processes together. */
export function registerSyncGauges(registry: Registry, db: Db, kinds: readonly SyncKind[]): void {
  registerDatabaseGauges(registry, gauges, async ({ accounts, paused, lag }) => {
    for (const kind of kinds) {
      const figures = await readFigures(db, kind)
      const labels = { kind: kindNames[kind.column] }
      accounts.set(labels, figures.accounts)
      paused.set(labels, figures.paused)
      lag.set(labels, figures.lag)
    }
  })
}

async function readFigures(
  db: Db,
  kind: SyncKind,
): Promise<{ accounts: number; paused: number; lag: number }> {
  const active = await kind.findActiveAccounts(db)
  return { accounts: active.length, ...(await measureAccounts(db, kind.column, active)) }
}
