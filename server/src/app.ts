import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import Fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify'
import { accountsRoutes } from './domains/accounts/accounts.routes.ts'
import { registerCors } from './platform/http/cors.ts'
import { registerDocs } from './platform/http/docs.ts'
import { healthRoutes } from './app/health.routes.ts'
import { metricsRoutes } from './app/metrics.routes.ts'
import { takeParcels } from './domains/parcels/parcel-leads.ts'
import { registerSecurity } from './platform/http/security.ts'
import { settingsRoutes } from './app/settings.routes.ts'
import { syncKinds } from './app/syncs.ts'
import { registerWeb } from './platform/http/web.ts'
import { auditRoutes } from './domains/audit/audit.routes.ts'
import { forgetAllTries } from './domains/auth/auth.limits.ts'
import { proveOwner } from './domains/auth/auth.proof.ts'
import { authRoutes } from './domains/auth/auth.routes.ts'
import { profileRoutes } from './domains/auth/profile.routes.ts'
import { secondFactorRoutes } from './domains/auth/second-factor.routes.ts'
import { currentHosts } from './domains/connectors/connectors.hosts.ts'
import { connectorsRoutes } from './domains/connectors/connectors.routes.ts'
import { networkSend } from './domains/connectors/connectors.send.ts'
import { courierAccountsRoutes } from './domains/courier-accounts/courier-accounts.routes.ts'
import { cpaSourcesRoutes } from './domains/cpa-sources/cpa-sources.routes.ts'
import { cpaWebsitesRoutes } from './domains/cpa-websites/cpa-websites.routes.ts'
import { importsRoutes } from './domains/imports/imports.routes.ts'
import { registerBodies } from './platform/http/bodies.ts'
import { usualPatience, watchConnections } from './platform/http/connections.ts'
import type { Deps } from './platform/deps.ts'
import { answerBrokenRequest, answerError, registerErrors } from './platform/http/error-handler.ts'
import { idleWithin, maxBodyBytes, maxHeaderBytes, maxSegmentLength } from './platform/limits/limits.ts'
import { sweepIncoming } from './platform/http/multipart.ts'
import { registerOverload } from './platform/limits/overload.ts'
import { SecurityLog } from './platform/security/security-log.ts'
import { buildSerializer } from './platform/http/serializers.ts'
import { takeIn } from './domains/leads/leads.intake.ts'
import { followNow } from './domains/leads/leads.jobs.ts'
import { leadsRoutes } from './domains/leads/leads.routes.ts'
import { seedWords } from './domains/leads/leads.words.ts'
import { noticesRoutes } from './domains/notices/notices.routes.ts'
import { offersRoutes } from './domains/offers/offers.routes.ts'
import { outgoingPostbacksRoutes } from './domains/outgoing-postbacks/outgoing-postbacks.routes.ts'
import { refuseOrdersOverQuota, takeOrders } from './domains/parcels/parcels.orders.ts'
import { previewOrders } from './domains/parcels/parcels.preview.ts'
import { parcelsRoutes } from './domains/parcels/parcels.routes.ts'
import { postbackTemplatesRoutes } from './domains/postback-templates/postback-templates.routes.ts'
import { postbacksRoutes } from './domains/postbacks/postbacks.routes.ts'
import { reportsRoutes } from './domains/reports/reports.routes.ts'
import { roleSourceAccessRoutes } from './domains/role-source-access/role-source-access.routes.ts'
import { rolesRoutes } from './domains/roles/roles.routes.ts'
import { sessionsRoutes } from './domains/sessions/sessions.routes.ts'
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

/** What a process answers that works in the background alone: how it is. */
const probes: readonly Register[] = [healthRoutes, (app, deps) => metricsRoutes(app, deps, syncKinds(deps))]

/** Each domain's calls. */
const routes: readonly Register[] = [
  ...probes,
  settingsRoutes,
  authRoutes,
  profileRoutes,
  secondFactorRoutes,
  (app, deps) => accountsRoutes(app, deps, forgetAllTries),
  sessionsRoutes,
  usersRoutes,
  rolesRoutes,
  (app, deps) => sourceCredentialsRoutes(app, deps, currentHosts),
  (app, deps) => cpaSourcesRoutes(app, deps, seedWords),
  cpaWebsitesRoutes,
  (app, deps) => connectorsRoutes(app, deps, (signal) => networkSend(deps.outgoing, signal)),
  roleSourceAccessRoutes,
  statusTypesRoutes,
  statusesRoutes,
  (app, deps) => sourceStatusesRoutes(app, deps, followNow),
  offersRoutes,
  streamsRoutes,
  postbackTemplatesRoutes,
  outgoingPostbacksRoutes,
  courierAccountsRoutes,
  syncsRoutes,
  trackingRoutes,
  (app, deps) => noticesRoutes(app, deps, (...asked) => proveOwner(deps, ...asked)),
  auditRoutes,
  leadsRoutes,
  importsRoutes,
  (app, deps) =>
    postbacksRoutes(app, deps, (trx, source, lead) => takeIn(trx, source, [lead], { origin: 'postback' })),
  reportsRoutes,
  (app, deps) => parcelsRoutes(app, deps, takeParcels),
  (app, deps) =>
    uploadsRoutes(app, deps, {
      takeOrders: (...asked) => takeOrders(deps, ...asked),
      refuseOrders: (...asked) => refuseOrdersOverQuota(deps, ...asked),
      previewOrders,
    }),
]

const ownRequestId = /^[\w-]{1,64}$/

/** Builds the product's HTTP side, ready for `listen` or `inject`. The only place where its parts are wired. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { config } = deps
  const patience = config.clients ?? usualPatience
  const app = Fastify({
    loggerInstance: deps.log,
    schemaController: { compilersFactory: { buildSerializer } },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers: { 'x-request-id': id } }) =>
      typeof id === 'string' && ownRequestId.test(id) ? id : randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxSegmentLength },
    bodyLimit: maxBodyBytes,
    requestTimeout: patience.request,
    keepAliveTimeout: idleWithin,
    http: {
      headersTimeout: patience.headers,
      connectionsCheckingInterval: patience.every,
      maxHeaderSize: maxHeaderBytes,
    },
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
  app.decorate('securityLog', new SecurityLog(deps.log))
  app.decorate('identify', (token: string) => deps.identities.identify(token))
  app.decorate('keys', { db: deps.db, seal: deps.seal })
  app.decorateRequest('identity', null)
  registerErrors(app)
  registerBodies(app)
  registerSecurity(app, config.webFolder)
  const connections = watchConnections(app.server, patience, config.trustProxy.length > 0)
  registerOverload(app, deps.pool, connections)
  await registerCors(app, config.corsOrigins)
  await app.register(multipart)
  if (config.process !== 'worker') {
    await registerWeb(app, config.webFolder)
    await registerDocs(app, config.apiDocs === 'public')
  }
  for (const register of config.process === 'worker' ? probes : routes) register(app, deps)
  app.addHook('onReady', () => sweepIncoming(config.dataFolder))
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request
    request.log.debug(
      { method, url: loggedUrl(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'Answered',
    )
  })
  closeConnections(app)
  await app.ready()
  return app
}

/** A network's address holds its secret, and so may a misspelled one that no call serves. */
const loggedUrl = ({ url, routeOptions: { url: route = '…', config } }: FastifyRequest) =>
  config.call === undefined || config.call.id === 'postbacks.receive' ? route : url

/** While closing: a connection whose request was finished stays open for the next one, and would be waited for. */
function closeConnections(app: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setInterval(() => app.server.closeIdleConnections(), 50)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
