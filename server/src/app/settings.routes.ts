import { appSettings } from '@karvon/contract/app/app.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../kit/deps.ts'
import { serve } from '../kit/serve.ts'

/** What this installation switches on, for whoever opens the sign-in page. */
export function settingsRoutes(app: FastifyInstance, { config }: Deps): void {
  serve(app, appSettings, async () => ({
    registration: config.registration,
    password_reset: config.passwordReset,
    bulk_users: config.bulkUsers,
    time_zone: config.timeZone,
    currency: config.currency,
    upload_max_bytes: config.uploadMaxBytes,
    order_previews: true,
    idempotency_keys: true,
    concurrent_edits: true,
    second_factor: true,
    telegram: config.telegram.token !== undefined,
  }))
}
