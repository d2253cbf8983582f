import { fileURLToPath } from 'node:url'
import { healthz, readyz } from '@karvon/contract/app/app.ts'
import type { FastifyInstance } from 'fastify'
import { readMigrations } from '../platform/database/migrate.files.ts'
import type { Deps } from '../platform/deps.ts'
import { serve } from '../platform/http/serve.ts'

/** Milliseconds. */
const probeTimeout = 2000
const migrations = fileURLToPath(new URL('../platform/database/migrations/', import.meta.url))

/** Serves /healthz (the process runs) and /readyz (its database can be used). */
export function healthRoutes(app: FastifyInstance, { pool, clock }: Deps): void {
  serve(app, healthz, async () => ({ status: 'ok' }))

  serve(app, readyz, async ({ reply }) => {
    const ready = await Promise.race([
      checkReadiness(),
      new Promise<false>((resolve) => setTimeout(resolve, probeTimeout, false).unref()),
    ])
    if (ready) return { status: 'ready', clock_seconds_ahead: clock.secondsAhead }
    return reply.code(503).header('retry-after', '2').send({
      detail: 'The database is away or not migrated yet.',
      code: 'unavailable',
    })
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
      const text =
        'select exists (select from schema_migrations where name = $1) and not pg_is_in_recovery() as there'
      const result = await pool.query<{ there: boolean }>(text, [await newest])
      return result.rows[0]?.there === true
    } catch {
      return false
    }
  }
}
