import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'
import { healthOf } from '../kit/syncs/syncs.health.sql.ts'
import { checkUrls } from '../kit/url-fields.ts'

/** Accounts at the courier, each with how it fares. */
export function courierAccountsRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, courierAccounts, {
    extra: { health: healthOf('courier_account_id') },
    columns: async ({ body }) => {
      checkUrls(deps.outgoing, courierAccounts, body)
      return {}
    },
  })
}
