import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { originOf } from '../../platform/security/secret-hosts.ts'
import { healthOf } from '../syncs/syncs.health.queries.ts'
import { checkUrls } from '../../resources/url-fields.ts'

/** Accounts at the courier, each with how it fares. */
export function courierAccountsRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, courierAccounts, {
    extra: { health: healthOf('courier_account_id') },
    columns: async ({ body, old }) => {
      checkUrls(deps.outgoing, courierAccounts, body)
      if (old !== null) refuseOtherHost(body, old)
      return {}
    },
  })
}

/** Whoever sets another host must not receive the password that was typed for the one before. Errors: 422. */
function refuseOtherHost(
  { url, pass }: { url?: unknown; pass?: unknown },
  old: Record<string, unknown>,
): void {
  if (typeof url !== 'string' || old.pass === null || typeof pass === 'string') return
  const before = originOf(String(old.url))
  if (originOf(url) === before) return
  const message = `Type the password anew: the stored one is for ${before} alone.`
  throw invalid([{ field: 'pass', message }])
}
