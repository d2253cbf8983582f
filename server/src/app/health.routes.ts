import { fileURLToPath } from 'node:url'
import { healthz, readyz } from '@karvon/contract/app/app.ts'
import type { FastifyInstance } from 'fastify'
import { isFileStoreOwn } from '../platform/files/file-store.mark.ts'
import { readMigrations } from '../platform/database/migrate.files.ts'
import type { Deps } from '../platform/deps.ts'
import { openOnce } from '../platform/open-once.ts'
import { AppError } from '../platform/http/errors.ts'
import { serve } from '../platform/http/serve.ts'
import { isMigratedTo } from './health.queries.ts'

/** Milliseconds. */
const probeTimeout = 2000
const migrations = fileURLToPath(new URL('../platform/database/migrations/', import.meta.url))

type Obstacle = 'shutting_down' | 'database_not_ready' | 'data_folder_missing'

/**
 * Serves /healthz (the process runs) and /readyz (it is not shutting down, its database can be used, and its
 * file store is that of the database).
 */
export function healthRoutes(app: FastifyInstance, { db, pool, clock, files }: Deps): void {
  serve(app, healthz, async () => ({ status: 'ok' }))

  serve(app, readyz, async ({ reply }) => {
    const obstacle: Obstacle | null = app.drain.isActive
      ? 'shutting_down'
      : await Promise.race([
          checkObstacle(),
          new Promise<Obstacle>((resolve) =>
            setTimeout(resolve, probeTimeout, 'database_not_ready' as const).unref(),
          ),
        ])
    if (obstacle === null) return { status: 'ready', clock_seconds_ahead: clock.secondsAhead }
    // Not thrown: probes repeat, and each thrown error is logged.
    const error = new AppError(obstacle)
    return reply.code(error.status).header('retry-after', '2').send(error.problem())
  })

  // Parallel probes share one check.
  let pendingCheck: Promise<Obstacle | null> | undefined
  const checkObstacle = () => {
    pendingCheck ??= findObstacle().finally(() => (pendingCheck = undefined))
    return pendingCheck
  }

  const readNewest = openOnce(async () => (await readMigrations(migrations)).at(-1)?.name)
  const findObstacle = async (): Promise<Obstacle | null> => {
    try {
      if (!(await isMigratedTo(pool, await readNewest()))) return 'database_not_ready'
      return (await isFileStoreOwn(db, files)) ? null : 'data_folder_missing'
    } catch (error) {
      // A store that does not answer stops only uploads.
      if (error instanceof AppError && error.code === 'file_store_unavailable') return null
      return 'database_not_ready'
    }
  }
}
