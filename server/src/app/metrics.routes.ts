import { metrics } from '@karvon/contract/app/app.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { countWaitingCallers } from '../platform/database/pool.ts'
import type { Deps } from '../platform/deps.ts'
import { getRefusalCounts } from '../platform/http/refusals.ts'
import { countSlotsByKind } from '../platform/limits/concurrency-limit.ts'
import { serve } from '../platform/http/serve.ts'
import { registerBacklogGauges } from './backlog.metrics.ts'
import type { SyncKind } from '../domains/syncs/syncs.kind.ts'
import { getSyncCounters, registerSyncGauges } from '../domains/syncs/syncs.metrics.ts'
import { refuseMetrics } from '../platform/metrics/metrics.access.ts'
import { listenForMetrics } from '../platform/metrics/metrics.listener.ts'

/**
 * Milliseconds between two measurements of the event loop. Each measurement wakes the process, so the default
 * of 10 costs much processor time.
 */
const eventLoopInterval = 250

/** Without a measurement since the last read, Node answers NaN, zeros, and its largest number as the minimum. */
const removeUnmeasuredDelays = (text: string): string =>
  /^nodejs_eventloop_lag_mean_seconds nan$/im.test(text)
    ? text.replaceAll(/^nodejs_eventloop_lag_\w+_seconds .*\n/gm, '')
    : text

/**
 * Serves metrics as Prometheus text: the process, requests by route, connections of the database, limits,
 * syncs, jobs and queues.
 */
export function metricsRoutes(
  app: FastifyInstance,
  { db, pool, config, metrics: processMetrics }: Deps,
  kinds: readonly SyncKind[],
): void {
  const registry = new Registry()
  measureRequests(app, registry)
  registerProcessGauges(app, pool, registry)
  getSyncCounters(processMetrics)
  registerSyncGauges(registry, db, kinds)
  registerBacklogGauges(registry, { pool, config })

  // Parallel requests share one read.
  let pendingRead: Promise<string> | undefined
  let isMeasured = false
  const read = async () => {
    // Not earlier: in a process whose metrics are never read, the measurements would cost more than
    // everything else.
    if (!isMeasured)
      collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopInterval })
    isMeasured = true
    pendingRead ??= Registry.merge([registry, processMetrics])
      .metrics()
      .then(removeUnmeasuredDelays)
      .finally(() => (pendingRead = undefined))
    return { type: registry.contentType, text: await pendingRead }
  }
  listenForMetrics(app, config, read)

  serve(app, metrics, async ({ request, reply }) => {
    refuseMetrics(config.metrics, request.raw, false)
    const { type, text } = await read()
    return reply.type(type).send(text)
  })
}

function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  // To find a series by its labels is slower than to add to it.
  const series = new Map<string, ReturnType<typeof durations.labels>>()
  app.addHook('onResponse', (request, reply, done) => {
    // The route pattern and not the URL: URLs would create endless series.
    const route = request.routeOptions.url ?? 'other'
    const key = `${request.method} ${reply.statusCode} ${route}`
    let storedSeries = series.get(key)
    if (storedSeries === undefined) {
      storedSeries = durations.labels(request.method, route, String(reply.statusCode))
      series.set(key, storedSeries)
    }
    storedSeries.observe(reply.elapsedTime / 1000)
    done()
  })
}

/** Gauges of the pool, of refusals and of what running requests hold. */
function registerProcessGauges(app: FastifyInstance, pool: pg.Pool, registry: Registry): void {
  const connections = new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      connections.set({ state: 'open' }, pool.totalCount)
      connections.set({ state: 'idle' }, pool.idleCount)
      connections.set({ state: 'waiting' }, countWaitingCallers(pool))
    },
  })

  const refusalGauge = new Gauge({
    name: 'refused',
    help: 'Requests and connections that were refused or cut off since the start, by what there was too much of',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      for (const [reason, times] of getRefusalCounts()) refusalGauge.set({ reason }, times)
    },
  })

  const usage = new Gauge({
    name: 'held',
    help: 'What running requests hold: requests by class, bytes of bodies, and slots of concurrency limits by kind',
    labelNames: ['what'],
    registers: [registry],
    collect() {
      for (const [what, count] of Object.entries(app.countRequestsInProgress())) usage.set({ what }, count)
      usage.set({ what: 'works' }, app.hasDecorator('runningRequests') ? app.runningRequests.inUse : 0)
      for (const [what, count] of countSlotsByKind()) usage.set({ what }, count)
    },
  })
}
