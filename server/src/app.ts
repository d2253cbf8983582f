import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import Fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify'
import { registerAccessLog } from './platform/http/access-log.ts'
import { accountsRoutes } from './domains/accounts/accounts.routes.ts'
import { registerCors } from './platform/http/cors.ts'
import { registerDocs } from './platform/http/docs.ts'
import { healthRoutes } from './app/health.routes.ts'
import { metricsRoutes } from './app/metrics.routes.ts'
import { registerDrain } from './platform/http/drain.ts'
import { createRequestLog } from './platform/http/request-log.ts'
import { registerSecurityHeaders } from './platform/http/security-headers.ts'
import { settingsRoutes } from './app/settings.routes.ts'
import { syncKinds } from './app/syncs.ts'
import { registerWeb } from './platform/http/web.ts'
import { alertsRoutes } from './domains/alerts/alerts.routes.ts'
import { auditRoutes } from './domains/audit/audit.routes.ts'
import { authRoutes } from './domains/auth/auth.routes.ts'
import { profileRoutes } from './domains/auth/profile.routes.ts'
import { secondFactorRoutes } from './domains/auth/second-factor.routes.ts'
import { connectorsRoutes } from './domains/connectors/connectors.routes.ts'
import { courierAccountsRoutes } from './domains/courier-accounts/courier-accounts.routes.ts'
import { courierTariffsRoutes } from './domains/courier-tariffs/courier-tariffs.routes.ts'
import { cpaSourcesRoutes } from './domains/cpa-sources/cpa-sources.routes.ts'
import { cpaWebsitesRoutes } from './domains/cpa-websites/cpa-websites.routes.ts'
import { exploreRoutes } from './domains/explore/explore.routes.ts'
import { importsRoutes } from './domains/imports/imports.routes.ts'
import { registerBodies } from './platform/http/bodies.ts'
import { defaultClientTimeouts, watchConnections } from './platform/http/connections.ts'
import type { Deps } from './platform/deps.ts'
import { answerBrokenRequest, sendError, registerErrorHandler } from './platform/http/error-handler.ts'
import {
  idleConnectionTimeout,
  maxBodyBytes,
  maxHeaderBytes,
  maxPathSegmentLength,
} from './platform/limits/limits.ts'
import { removeAbandonedFiles } from './platform/http/multipart.ts'
import { registerAdmissionControl } from './platform/limits/admission.hooks.ts'
import { SecurityLog } from './platform/security/security-log.ts'
import { buildSerializer } from './platform/http/serializers.ts'
import { leadsRoutes } from './domains/leads/leads.routes.ts'
import { ledgerRoutes } from './domains/ledger/ledger.routes.ts'
import { networkMoneyRoutes } from './domains/network-money/network-money.routes.ts'
import { noticesRoutes } from './domains/notices/notices.routes.ts'
import { offersRoutes } from './domains/offers/offers.routes.ts'
import { outgoingPostbacksRoutes } from './domains/outgoing-postbacks/outgoing-postbacks.routes.ts'
import { parcelsRoutes } from './domains/parcels/parcels.routes.ts'
import { payoutsRoutes } from './domains/payouts/payouts.routes.ts'
import { postbackTemplatesRoutes } from './domains/postback-templates/postback-templates.routes.ts'
import { postbacksRoutes } from './domains/postbacks/postbacks.routes.ts'
import { reportsRoutes } from './domains/reports/reports.routes.ts'
import { roleSourceAccessRoutes } from './domains/role-source-access/role-source-access.routes.ts'
import { rolesRoutes } from './domains/roles/roles.routes.ts'
import { savedViewsRoutes } from './domains/saved-views/saved-views.routes.ts'
import { sessionsRoutes } from './domains/sessions/sessions.routes.ts'
import { settlementsRoutes } from './domains/settlements/settlements.routes.ts'
import { sourceCredentialsRoutes } from './domains/source-credentials/source-credentials.routes.ts'
import { sourceStatusesRoutes } from './domains/source-statuses/source-statuses.routes.ts'
import { statusTypesRoutes } from './domains/status-types/status-types.routes.ts'
import { statusesRoutes } from './domains/statuses/statuses.routes.ts'
import { streamsRoutes } from './domains/streams/streams.routes.ts'
import { syncsRoutes } from './domains/syncs/syncs.routes.ts'
import { trackingRoutes } from './domains/tracking/tracking.routes.ts'
import { uploadsRoutes } from './domains/uploads/uploads.routes.ts'
import { usersRoutes } from './domains/users/users.routes.ts'

type Register = (app: FastifyInstance, deps: Deps) => void

/** The calls of a process with KARVON_PROCESS=worker. */
const probes: readonly Register[] = [healthRoutes, (app, deps) => metricsRoutes(app, deps, syncKinds(deps))]

/** The calls of all domains. */
const routes: readonly Register[] = [
  ...probes,
  settingsRoutes,
  authRoutes,
  profileRoutes,
  secondFactorRoutes,
  accountsRoutes,
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

const ownRequestId = /^[\w-]{1,64}$/

/** Builds the HTTP server, ready for `listen` or `inject`. Only here its parts are wired. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { config } = deps
  const timeouts = config.clientTimeouts ?? defaultClientTimeouts
  const app = Fastify({
    loggerInstance: deps.log,
    schemaController: { compilersFactory: { buildSerializer } },
    childLoggerFactory: createRequestLog,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers: { 'x-request-id': id } }) =>
      typeof id === 'string' && ownRequestId.test(id) ? id : randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxPathSegmentLength },
    bodyLimit: maxBodyBytes,
    requestTimeout: timeouts.request,
    keepAliveTimeout: idleConnectionTimeout,
    // A request that arrives on an open connection during a shutdown is answered like any other.
    return503OnClosing: false,
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.checkInterval,
      maxHeaderSize: maxHeaderBytes,
    },
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  })
  app.decorate('securityLog', new SecurityLog(deps.log))
  app.decorate('identify', (token: string) => deps.identities.identify(token))
  app.decorate('idempotencyStore', { db: deps.db, encryption: deps.encryption })
  app.decorate('readReplica', deps.readReplica)
  app.decorateRequest('identity', null)
  deps.tracing?.register(app)
  registerErrorHandler(app)
  registerBodies(app)
  registerSecurityHeaders(app, config.webFolder)
  registerDrain(app)
  const connections = watchConnections(app.server, timeouts, config.trustProxy.length > 0)
  registerAdmissionControl(app, deps.pool, connections)
  await registerCors(app, config.corsOrigins)
  await app.register(multipart)
  if (config.process !== 'worker') {
    await registerWeb(app, config.webFolder)
    await registerDocs(app, config.apiDocs === 'public')
  }
  for (const register of config.process === 'worker' ? probes : routes) register(app, deps)
  app.addHook('onReady', () => removeAbandonedFiles(config.dataFolder))
  if (['debug', 'trace'].includes(deps.log.level)) registerAnswerLog(app)
  if (config.accessLog) registerAccessLog(app)
  closeConnections(app)
  await app.ready()
  return app
}

function registerAnswerLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    request.log.debug(
      { method, url: maskUrl(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'Answered',
    )
    done()
  })
}

/** The URL of a postback has a secret, and an unknown URL may have one too. Both are logged as their route. */
const maskUrl = ({ url, routeOptions: { url: route = '…', config } }: FastifyRequest) =>
  config.call === undefined || config.call.id === 'postbacks.receive' ? route : url

/** During a shutdown, closes idle keep-alive connections. Otherwise the server would wait for them. */
function closeConnections(app: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setInterval(() => app.server.closeIdleConnections(), 50)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
