import { appSettings } from '@karvon/contract/app/app.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../kit/deps.ts'
import { serve } from '../kit/serve.ts'

/** What this installation switches on, for whoever opens the sign-in page. */
export function settingsRoutes(app: FastifyInstance, { config }: Deps): void {
  serve(app, appSettings, async () => ({
    registration: 'simulated' as const,
    password_reset: 'simulated' as const,
    bulk_users: 'log' as const,
    time_zone: config.timeZone,
    currency: config.currency,
    upload_max_bytes: config.uploadMaxBytes,
    order_previews: true,
    telegram: config.telegram.token !== undefined,
  }))
}
