import { Counter, type CounterConfiguration, type Registry } from 'prom-client'
import type { Db } from '../../platform/database/pool.ts'
import { registerDatabaseGauges } from '../../platform/metrics/metrics.gauges.ts'
import type { AccountColumn, SyncKind } from './syncs.kind.ts'
import { listLaggingAccounts, measureAccounts } from './syncs.queries.ts'

const kindNames: Readonly<Record<AccountColumn, string>> = {
  source_credential_id: 'cpa',
  courier_account_id: 'courier',
}
const statuses = ['done', 'partial', 'failed'] as const
/** The metrics of rows, each with the counts of a run that it sums up. */
const rowCounters: Readonly<Record<string, readonly string[]>> = {
  fetched: ['rows'],
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
 * Gets the counters of a registry, and creates them on the first call. Their labels name kinds and never accounts, so
 * that the number of series does not depend on the number of accounts.
 */
export function getSyncCounters(registry: Registry): SyncCounters {
  const runs = getCounter(registry, {
    name: 'karvon_sync_runs_total',
    help: 'Runs that this process ended, by what was fetched and how they ended',
    labelNames: ['kind', 'status'],
  })
  const rows = getCounter(registry, {
    name: 'karvon_sync_rows_total',
    help: 'Rows of the runs that this process ended: fetched, changed by them, with an unmapped source status, unreadable',
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
  const knownMetric = registry.getSingleMetric(config.name)
  return knownMetric instanceof Counter ? knownMetric : new Counter({ ...config, registers: [registry] })
}

/** Accounts of each kind that have series of their own. */
const maxAccountSeries = 20

const labelNames = ['kind']
const accountLabelNames = ['kind', 'account']
const gauges = {
  accounts: { name: 'karvon_sync_accounts', help: 'Accounts that are to be fetched', labelNames },
  paused: {
    name: 'karvon_sync_paused_accounts',
    help: 'Accounts that are paused after too many failures in a row',
    labelNames,
  },
  lag: {
    name: 'karvon_sync_lag_seconds',
    help: 'Seconds since the last run without any failure, of the account where that is the longest ago',
    labelNames,
  },
  wait: {
    name: 'karvon_sync_waiting_seconds',
    help: 'Seconds for which the account that has been due longest waits for its run',
    labelNames,
  },
  accountLag: {
    name: 'karvon_sync_account_lag_seconds',
    help: `Seconds since the last run without any failure, by id, of the ${maxAccountSeries} accounts where that is the longest ago`,
    labelNames: accountLabelNames,
  },
  accountFailures: {
    name: 'karvon_sync_account_failures',
    help: `Failed runs in a row, of the same ${maxAccountSeries} accounts`,
    labelNames: accountLabelNames,
  },
}

/** Registers the gauges of active accounts, for all processes together. */
export function registerSyncGauges(registry: Registry, db: Db, kinds: readonly SyncKind[]): void {
  registerDatabaseGauges(registry, gauges, async (ownGauges) => {
    const health = await Promise.all(kinds.map((kind) => readHealth(db, kind)))
    // Another account may be among the first now.
    ownGauges.accountLag.reset()
    ownGauges.accountFailures.reset()
    for (const { kind, accounts, paused, lag, wait, lagging } of health) {
      ownGauges.accounts.set({ kind }, accounts)
      ownGauges.paused.set({ kind }, paused)
      ownGauges.lag.set({ kind }, lag)
      ownGauges.wait.set({ kind }, wait)
      for (const laggingAccount of lagging) {
        ownGauges.accountLag.set({ kind, account: laggingAccount.account }, laggingAccount.lag)
        ownGauges.accountFailures.set({ kind, account: laggingAccount.account }, laggingAccount.failures)
      }
    }
  })
}

async function readHealth(db: Db, kind: SyncKind) {
  const { column } = kind
  const active = await kind.findActiveAccounts(db)
  return {
    kind: kindNames[column],
    accounts: active.length,
    ...(await measureAccounts(db, column, active)),
    lagging: await listLaggingAccounts(db, column, { active, limit: maxAccountSeries }),
  }
}
