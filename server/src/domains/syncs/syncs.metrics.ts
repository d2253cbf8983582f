import { Counter, Gauge, type CounterConfiguration, type Registry } from 'prom-client'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { patience, type AccountColumn, type SyncKind } from './syncs.kind.ts'

const kindNames: Readonly<Record<AccountColumn, string>> = {
  source_credential_id: 'cpa',
  courier_account_id: 'courier',
}
const statuses = ['done', 'partial', 'failed'] as const
/** What of a run's counts is told: by the name of each, those that it adds up. */
const told: Readonly<Record<string, readonly string[]>> = {
  taken: ['rows'],
  changed: ['created', 'updated'],
  unmapped: ['unmapped'],
  unreadable: ['unreadable'],
}

/** Runs that this process ended, and their rows. */
export interface SyncCounters {
  ended(
    column: AccountColumn,
    status: (typeof statuses)[number],
    counts: Readonly<Record<string, number>>,
  ): void
}

/**
 * The counters in a registry; made on the first call. Labels name kinds, never accounts: a thousand accounts have as many
 * series as one.
 */
export function syncCounters(registry: Registry): SyncCounters {
  const runs = counterOf(registry, {
    name: 'karvon_sync_runs_total',
    help: 'Runs that this process ended, by what was fetched and how they ended',
    labelNames: ['kind', 'status'],
  })
  const rows = counterOf(registry, {
    name: 'karvon_sync_rows_total',
    help: 'Rows of the runs that this process ended: taken, changed by them, with words that nothing maps, unreadable',
    labelNames: ['kind', 'what'],
  })
  for (const kind of Object.values(kindNames)) {
    for (const status of statuses) runs.inc({ kind, status }, 0)
    for (const what of Object.keys(told)) rows.inc({ kind, what }, 0)
  }
  return {
    ended(column, status, counts) {
      const kind = kindNames[column]
      runs.inc({ kind, status })
      for (const [what, names] of Object.entries(told))
        rows.inc(
          { kind, what },
          names.reduce((sum, name) => sum + (counts[name] ?? 0), 0),
        )
    },
  }
}

function counterOf(registry: Registry, config: CounterConfiguration<string>): Counter {
  const known = registry.getSingleMetric(config.name)
  return known instanceof Counter ? known : new Counter({ ...config, registers: [registry] })
}

/** Milliseconds between two looks into the database, however often it is asked. */
const lookEvery = 1000

/** How the accounts fare that are to be fetched, all processes together. Absent while the database is away. */
export function syncGauges(registry: Registry, db: Db, kinds: readonly SyncKind[]): void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['kind'], registers: [registry], collect: () => look() })
  const accounts = gauge('karvon_sync_accounts', 'Accounts that are to be fetched')
  const paused = gauge('karvon_sync_paused_accounts', 'Accounts that rest after too many failures in a row')
  const lag = gauge(
    'karvon_sync_lag_seconds',
    'Seconds since the last run without any failure, of the account where that is the longest ago',
  )
  const read = async () => {
    for (const kind of kinds) {
      const figures = await figuresOf(db, kind)
      const labels = { kind: kindNames[kind.column] }
      accounts.set(labels, figures.accounts)
      paused.set(labels, figures.paused)
      lag.set(labels, figures.lag)
    }
  }
  let reading = Promise.resolve()
  let readAt = Number.NEGATIVE_INFINITY
  const look = (): Promise<void> => {
    if (performance.now() - readAt >= lookEvery) {
      readAt = performance.now()
      reading = read().catch(() => {
        for (const each of [accounts, paused, lag]) each.reset()
      })
    }
    return reading
  }
}

async function figuresOf(db: Db, kind: SyncKind): Promise<{ accounts: number; paused: number; lag: number }> {
  const active = await kind.active(db)
  const { rows } = await sql<{ paused: number; lag: number }>`
    select count(*) filter (where failures >= ${patience} and paused_until > now())::integer as paused,
      coalesce(extract(epoch from now() - min(good_at)), 0)::float8 as lag
    from sync_states where ${sql.ref(kind.column)} = any(${active}::bigint[])`.execute(db)
  const { paused = 0, lag = 0 } = rows[0] ?? {}
  return { accounts: active.length, paused, lag }
}
