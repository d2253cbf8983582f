import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import type { FastifyInstance } from 'fastify'
import { changesField } from '../../resources/crud.hooks.ts'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { getOrigin } from '../../platform/security/secret-hosts.ts'
import { refuseAdjustedAccount } from '../ledger/ledger.adjustments.queries.ts'
import { healthSql } from '../syncs/syncs.health.queries.ts'
import { clearAccountState } from '../syncs/syncs.queries.ts'
import { refuseForbiddenUrls } from '../../resources/url-fields.ts'

/** The calls of accounts at the courier. Each row has the health of its syncs. */
export function courierAccountsRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: courierAccounts,
    extraColumns: { health: healthSql('courier_account_id') },
    beforeDelete: (trx, { id }) => refuseAdjustedAccount(trx, 'courier', id),
    computeColumns: async ({ body, oldRow }) => {
      refuseForbiddenUrls(deps.outgoing, courierAccounts, body)
      if (oldRow !== null) refuseOtherHost(body, oldRow)
      return {}
    },
    afterWrite: async ({ id, ...writing }) => {
      // The failures were those of the former account, and their pause would hold up the new one for hours.
      if (writing.oldRow !== null && changesField(writing, 'url', 'extra', 'login'))
        await clearAccountState(writing.trx, {
          column: 'courier_account_id',
          account: id,
          keepsRequiredPause: false,
        })
      return undefined
    },
  })
}

/** Refuses a new host without a new password: the new host must not receive the stored password. Errors: 422. */
function refuseOtherHost(
  { url, pass }: { url?: unknown; pass?: unknown },
  oldAccount: Record<string, unknown>,
): void {
  if (typeof url !== 'string' || oldAccount.pass === null || typeof pass === 'string') return
  const before = getOrigin(String(oldAccount.url))
  if (getOrigin(url) === before) return
  throw invalid([fieldError('pass', 'password_for_other_host', { host: before })])
}
