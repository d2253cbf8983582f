import { accountCalls } from './accounts/accounts.ts'
import { inboxCalls } from './alerts/inbox.ts'
import { alertRuleCalls } from './alerts/rules.ts'
import { countUnreadAlerts } from './alerts/unread.ts'
import { appCalls } from './app/app.ts'
import { listAudit } from './audit/audit.ts'
import { authCalls } from './auth/auth.ts'
import { secondFactorCalls } from './auth/second-factor.ts'
import { connectors } from './connectors/connectors.ts'
import { courierAccounts } from './courier-accounts/courier-accounts.ts'
import { courierTariffs } from './courier-tariffs/courier-tariffs.ts'
import { cpaSources, rotatePostbackKey } from './cpa-sources/cpa-sources.ts'
import { cpaWebsites, tryCpaWebsite } from './cpa-websites/cpa-websites.ts'
import { exploreCalls } from './explore/explore.ts'
import { importCalls } from './imports/imports.ts'
import type { Call } from './lib/call.ts'
import { resourceCalls } from './lib/resource-calls.ts'
import type { Resource } from './lib/resource.ts'
import { leadCalls } from './leads/leads.ts'
import { ledgerCalls } from './ledger/ledger.ts'
import { networkMoneyCalls } from './network-money/network-money.ts'
import { noticeCalls } from './notices/notices.ts'
import { offers } from './offers/offers.ts'
import { outgoingPostbackCalls } from './outgoing-postbacks/outgoing-postbacks.ts'
import { parcelCalls } from './parcels/parcels.ts'
import { payoutTermsCalls } from './payouts/payout-terms.ts'
import { paymentRegistryCalls } from './payouts/payment-registries.ts'
import { payoutCalls } from './payouts/payouts.ts'
import { statementCalls } from './payouts/statements.ts'
import { postbackTemplates } from './postback-templates/postback-templates.ts'
import { postbackCalls } from './postbacks/postbacks.ts'
import { reportCalls } from './reports/reports.ts'
import { roleSourceAccess } from './role-source-access/role-source-access.ts'
import { roles } from './roles/roles.ts'
import { savedViewCalls } from './saved-views/saved-views.ts'
import { sessionCalls } from './sessions/sessions.ts'
import { settlementDifferenceCalls } from './settlements/differences.ts'
import { settlementCalls } from './settlements/settlements.ts'
import { sourceCredentials } from './source-credentials/source-credentials.ts'
import { sourceStatuses } from './source-statuses/source-statuses.ts'
import { statusTypes } from './status-types/status-types.ts'
import { statuses } from './statuses/statuses.ts'
import { streams } from './streams/streams.ts'
import { syncCalls } from './syncs/syncs.ts'
import { trackingCalls } from './tracking/tracking.ts'
import { uploadCalls } from './uploads/uploads.ts'
import { activateUser, deactivateUser, users } from './users/users.ts'

/** All resources of the product. */
export const resources: readonly Resource[] = [
  users,
  roles,
  sourceCredentials,
  cpaSources,
  cpaWebsites,
  roleSourceAccess,
  statusTypes,
  statuses,
  sourceStatuses,
  offers,
  streams,
  postbackTemplates,
  connectors,
  courierAccounts,
  courierTariffs,
]

/** All calls that the server answers. */
export const calls: readonly Call[] = [
  ...appCalls,
  ...authCalls,
  ...secondFactorCalls,
  ...accountCalls,
  ...resources.flatMap((resource) =>
    Object.values(resourceCalls(resource)).filter((resourceCall) => resourceCall !== undefined),
  ),
  activateUser,
  deactivateUser,
  ...sessionCalls,
  rotatePostbackKey,
  ...leadCalls,
  ...importCalls,
  ...postbackCalls,
  ...reportCalls,
  ...exploreCalls,
  ...parcelCalls,
  ...uploadCalls,
  ...outgoingPostbackCalls,
  ...syncCalls,
  ...settlementCalls,
  ...settlementDifferenceCalls,
  tryCpaWebsite,
  ...trackingCalls,
  ...noticeCalls,
  ...ledgerCalls,
  ...networkMoneyCalls,
  ...payoutTermsCalls,
  ...payoutCalls,
  ...paymentRegistryCalls,
  ...statementCalls,
  ...alertRuleCalls,
  ...inboxCalls,
  countUnreadAlerts,
  ...savedViewCalls,
  listAudit,
]
