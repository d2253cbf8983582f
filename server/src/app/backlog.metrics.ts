import type pg from 'pg'
import type { Registry } from 'prom-client'
import { registerDatabaseGauges } from '../platform/metrics/metrics.gauges.ts'
import { readBacklog } from './backlog.queries.ts'

const gauges = {
  waiting: {
    name: 'karvon_queue_waiting_seconds',
    help: 'Seconds for which the oldest due entry of a queue has waited, over all processes',
    labelNames: ['queue'],
  },
  deltas: {
    name: 'karvon_lead_deltas',
    help: 'Changes of leads that are not yet in the totals of reports, at most 100000',
    labelNames: [],
  },
}

/** Registers gauges that show how far the jobs of all processes are behind. */
export function registerBacklogGauges(registry: Registry, pool: pg.Pool): void {
  registerDatabaseGauges(registry, gauges, async ({ waiting, deltas }) => {
    const { waitingSeconds, leadDeltas } = await readBacklog(pool)
    for (const [queue, seconds] of Object.entries(waitingSeconds)) waiting.set({ queue }, seconds)
    deltas.set(leadDeltas)
  })
}
