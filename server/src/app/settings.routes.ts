import { appSettings } from '@karvon/contract/app/app.ts'
import { featureNames, type Feature } from '@karvon/contract/lib/features.ts'
import type { FastifyInstance } from 'fastify'
import { hasBot, hasMailServer, hasViewMessages } from '../config.senders.ts'
import type { Deps } from '../platform/deps.ts'
import { serve } from '../platform/http/serve.ts'

/** All features are on, except those that depend on the configuration. */
const features = Object.fromEntries(featureNames.map((name) => [name, true])) as Record<Feature, boolean>

/** Serves the settings of this installation to everybody, for the sign-in page. */
export function settingsRoutes(app: FastifyInstance, { config }: Deps): void {
  serve(app, appSettings, async () => ({
    registration: config.registration,
    password_reset: config.passwordReset,
    bulk_users: config.bulkUsers,
    time_zone: config.timeZone,
    currency: config.currency,
    upload_max_bytes: config.uploadMaxBytes,
    ...features,
    telegram: hasBot(config.telegram),
    view_mails: hasMailServer(config.mail),
    view_schedules: hasViewMessages(config),
  }))
}
