import { fileURLToPath } from 'node:url'
import { healthz, readyz } from '@karvon/contract/app/app.ts'
import type { FastifyInstance } from 'fastify'
import { readMigrations } from '../platform/database/migrate.files.ts'
import type { Deps } from '../platform/deps.ts'
import { AppError } from '../platform/http/errors.ts'
import { serve } from '../platform/http/serve.ts'
import { isMigratedTo } from './health.queries.ts'

/** Milliseconds. */
const probeTimeout = 2000
const migrations = fileURLToPath(new URL('../platform/database/migrations/', import.meta.url))

/** Serves /healthz (the process runs) and /readyz (its database can be used, and it is not shutting down). */
export function healthRoutes(app: FastifyInstance, { pool, clock }: Deps): void {
  serve(app, healthz, async () => ({ status: 'ok' }))

  serve(app, readyz, async ({ reply }) => {
    const isDraining = app.drain.isActive
    const ready =
      !isDraining &&
      (await Promise.race([
        checkReadiness(),
        new Promise<false>((resolve) => setTimeout(resolve, probeTimeout, false).unref()),
      ]))
    if (ready) return { status: 'ready', clock_seconds_ahead: clock.secondsAhead }
    // Not thrown: probes repeat, and each thrown error is logged.
    const error = new AppError(isDraining ? 'shutting_down' : 'database_not_ready')
    return reply.code(error.status).header('retry-after', '2').send(error.problem())
  })

  // Parallel probes share one query.
  let pendingCheck: Promise<boolean> | undefined
  const checkReadiness = () => {
    pendingCheck ??= isReady().finally(() => (pendingCheck = undefined))
    return pendingCheck
  }

  const newest = readMigrations(migrations).then((files) => files.at(-1)?.name)
  const isReady = async () => {
    try {
      return await isMigratedTo(pool, await newest)
    } catch {
      return false
    }
  }
}
