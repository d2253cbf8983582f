import type { FastifyInstance } from 'fastify'
import { accountsRoutes } from '../domains/accounts/accounts.routes.ts'
import { healthRoutes } from './health.routes.ts'
import { metricsRoutes } from './metrics.routes.ts'
import { settingsRoutes } from './settings.routes.ts'
import { syncKinds } from './syncs.ts'
import { alertsRoutes } from '../domains/alerts/alerts.routes.ts'
import { auditRoutes } from '../domains/audit/audit.routes.ts'
import { authRoutes } from '../domains/auth/auth.routes.ts'
import { profileRoutes } from '../domains/auth/profile.routes.ts'
import { secondFactorRoutes } from '../domains/auth/second-factor.routes.ts'
import { connectorsRoutes } from '../domains/connectors/connectors.routes.ts'
import { courierAccountsRoutes } from '../domains/courier-accounts/courier-accounts.routes.ts'
import { courierTariffsRoutes } from '../domains/courier-tariffs/courier-tariffs.routes.ts'
import { cpaSourcesRoutes } from '../domains/cpa-sources/cpa-sources.routes.ts'
import { cpaWebsitesRoutes } from '../domains/cpa-websites/cpa-websites.routes.ts'
import { exploreRoutes } from '../domains/explore/explore.routes.ts'
import { importsRoutes } from '../domains/imports/imports.routes.ts'
import { leadsRoutes } from '../domains/leads/leads.routes.ts'
import { ledgerRoutes } from '../domains/ledger/ledger.routes.ts'
import { networkMoneyRoutes } from '../domains/network-money/network-money.routes.ts'
import { noticesRoutes } from '../domains/notices/notices.routes.ts'
import { offersRoutes } from '../domains/offers/offers.routes.ts'
import { outgoingPostbacksRoutes } from '../domains/outgoing-postbacks/outgoing-postbacks.routes.ts'
import { parcelsRoutes } from '../domains/parcels/parcels.routes.ts'
import { payoutsRoutes } from '../domains/payouts/payouts.routes.ts'
import { postbackTemplatesRoutes } from '../domains/postback-templates/postback-templates.routes.ts'
import { postbacksRoutes } from '../domains/postbacks/postbacks.routes.ts'
import { reportsRoutes } from '../domains/reports/reports.routes.ts'
import { roleSourceAccessRoutes } from '../domains/role-source-access/role-source-access.routes.ts'
import { rolesRoutes } from '../domains/roles/roles.routes.ts'
import { savedViewsRoutes } from '../domains/saved-views/saved-views.routes.ts'
import { sessionsRoutes } from '../domains/sessions/sessions.routes.ts'
import { settlementsRoutes } from '../domains/settlements/settlements.routes.ts'
import { sourceCredentialsRoutes } from '../domains/source-credentials/source-credentials.routes.ts'
import { sourceStatusesRoutes } from '../domains/source-statuses/source-statuses.routes.ts'
import { statusTypesRoutes } from '../domains/status-types/status-types.routes.ts'
import { statusesRoutes } from '../domains/statuses/statuses.routes.ts'
import { streamsRoutes } from '../domains/streams/streams.routes.ts'
import { syncsRoutes } from '../domains/syncs/syncs.routes.ts'
import { trackingRoutes } from '../domains/tracking/tracking.routes.ts'
import { uploadsRoutes } from '../domains/uploads/uploads.routes.ts'
import { usersRoutes } from '../domains/users/users.routes.ts'
import type { Deps } from '../platform/deps.ts'

type Register = (app: FastifyInstance, deps: Deps) => void

/** The calls of a process with KARVON_PROCESS=worker. */
export const probes: readonly Register[] = [
  healthRoutes,
  (app, deps) => metricsRoutes(app, deps, syncKinds(deps)),
]

/** The calls by which people sign in and change their own account. */
export const accountRoutes: readonly Register[] = [
  settingsRoutes,
  authRoutes,
  profileRoutes,
  secondFactorRoutes,
  accountsRoutes,
]

/** All other calls, with every list and report. */
export const domainRoutes: readonly Register[] = [
  sessionsRoutes,
  usersRoutes,
  rolesRoutes,
  sourceCredentialsRoutes,
  cpaSourcesRoutes,
  cpaWebsitesRoutes,
  connectorsRoutes,
  roleSourceAccessRoutes,
  statusTypesRoutes,
  statusesRoutes,
  sourceStatusesRoutes,
  offersRoutes,
  streamsRoutes,
  postbackTemplatesRoutes,
  outgoingPostbacksRoutes,
  courierAccountsRoutes,
  courierTariffsRoutes,
  syncsRoutes,
  trackingRoutes,
  noticesRoutes,
  alertsRoutes,
  auditRoutes,
  leadsRoutes,
  importsRoutes,
  postbacksRoutes,
  reportsRoutes,
  exploreRoutes,
  parcelsRoutes,
  settlementsRoutes,
  uploadsRoutes,
  ledgerRoutes,
  networkMoneyRoutes,
  payoutsRoutes,
  savedViewsRoutes,
]
