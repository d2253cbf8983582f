import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import Fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify'
import { accountsRoutes } from './accounts/accounts.routes.ts'
import { registerCors } from './app/cors.ts'
import { registerDocs } from './app/docs.ts'
import { healthRoutes } from './app/health.routes.ts'
import { metricsRoutes } from './app/metrics.routes.ts'
import { takeParcels } from './app/parcel-leads.ts'
import { registerSecurity } from './app/security.ts'
import { settingsRoutes } from './app/settings.routes.ts'
import { syncKinds } from './app/syncs.ts'
import { registerWeb } from './app/web.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { forgetAllTries } from './auth/auth.limits.ts'
import { proveOwner } from './auth/auth.proof.ts'
import { authRoutes } from './auth/auth.routes.ts'
import { profileRoutes } from './auth/profile.routes.ts'
import { secondFactorRoutes } from './auth/second-factor.routes.ts'
import { currentHosts } from './connectors/connectors.hosts.ts'
import { connectorsRoutes } from './connectors/connectors.routes.ts'
import { networkSend } from './connectors/connectors.send.ts'
import { courierAccountsRoutes } from './courier-accounts/courier-accounts.routes.ts'
import { cpaSourcesRoutes } from './cpa-sources/cpa-sources.routes.ts'
import { cpaWebsitesRoutes } from './cpa-websites/cpa-websites.routes.ts'
import { importsRoutes } from './imports/imports.routes.ts'
import { registerBodies } from './kit/bodies.ts'
import { usualPatience, watchConnections } from './kit/connections.ts'
import type { Deps } from './kit/deps.ts'
import { answerBrokenRequest, answerError, registerErrors } from './kit/error-handler.ts'
import { idleWithin, maxBodyBytes, maxHeaderBytes, maxSegmentLength } from './kit/limits.ts'
import { sweepIncoming } from './kit/multipart.ts'
import { registerOverload } from './kit/overload.ts'
import { SecurityLog } from './kit/security-log.ts'
import { buildSerializer } from './kit/serializers.ts'
import { takeIn } from './leads/leads.intake.ts'
import { followNow } from './leads/leads.jobs.ts'
import { leadsRoutes } from './leads/leads.routes.ts'
import { seedWords } from './leads/leads.words.ts'
import { noticesRoutes } from './notices/notices.routes.ts'
import { offersRoutes } from './offers/offers.routes.ts'
import { outgoingPostbacksRoutes } from './outgoing-postbacks/outgoing-postbacks.routes.ts'
import { refuseOrdersOverQuota, takeOrders } from './parcels/parcels.orders.ts'
import { previewOrders } from './parcels/parcels.preview.ts'
import { parcelsRoutes } from './parcels/parcels.routes.ts'
import { postbackTemplatesRoutes } from './postback-templates/postback-templates.routes.ts'
import { postbacksRoutes } from './postbacks/postbacks.routes.ts'
import { reportsRoutes } from './reports/reports.routes.ts'
import { roleSourceAccessRoutes } from './role-source-access/role-source-access.routes.ts'
import { rolesRoutes } from './roles/roles.routes.ts'
import { sessionsRoutes } from './sessions/sessions.routes.ts'
import { sourceCredentialsRoutes } from './source-credentials/source-credentials.routes.ts'
import { sourceStatusesRoutes } from './source-statuses/source-statuses.routes.ts'
import { statusTypesRoutes } from './status-types/status-types.routes.ts'
import { statusesRoutes } from './statuses/statuses.routes.ts'
import { streamsRoutes } from './streams/streams.routes.ts'
import { syncsRoutes } from './syncs/syncs.routes.ts'
import { trackingRoutes } from './tracking/tracking.routes.ts'
import { uploadsRoutes } from './uploads/uploads.routes.ts'
import { usersRoutes } from './users/users.routes.ts'

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
