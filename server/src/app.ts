import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import Fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify'
import { registerAccessLog } from './platform/http/access-log.ts'
import { registerCallSupport } from './app/call-support.ts'
import { registerCompression } from './platform/http/compression.ts'
import { registerCors } from './platform/http/cors.ts'
import { registerDocs } from './platform/http/docs.ts'
import { accountRoutes, domainRoutes, probes } from './app/routes.ts'
import { registerDrain } from './platform/http/drain.ts'
import { getPathAndQuery, registerRequestHeadChecks } from './platform/http/request-head.ts'
import { createRequestLog } from './platform/http/request-log.ts'
import { registerSecurityHeaders } from './platform/http/security-headers.ts'
import { registerWeb } from './platform/http/web.ts'
import { answerBrokenRequest } from './platform/http/broken-requests.ts'
import { registerBodies } from './platform/http/bodies.ts'
import { defaultClientTimeouts, watchConnections } from './platform/http/connections.ts'
import type { Config } from './config.ts'
import type { Deps } from './platform/deps.ts'
import { sendRouterError } from './platform/http/error-handler.ts'
import {
  idleConnectionTimeout,
  maxBodyBytes,
  maxHeaderBytes,
  maxPathSegmentLength,
} from './platform/limits/limits.ts'
import { startIncomingSweeps } from './platform/files/incoming-files.ts'
import { registerAdmissionControl } from './platform/limits/admission.hooks.ts'
import { buildSerializer } from './platform/http/serializers.ts'

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
    rewriteUrl: getPathAndQuery,
    bodyLimit: maxBodyBytes,
    requestTimeout: timeouts.request,
    keepAliveTimeout: idleConnectionTimeout,
    // A request that arrives on an open connection during a shutdown is answered like any other.
    return503OnClosing: false,
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.checkInterval,
      maxHeaderSize: maxHeaderBytes,
      requireHostHeader: false,
    },
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: sendRouterError,
  })
  if (deps.readReplica !== null) app.decorate('readReplica', deps.readReplica)
  deps.tracing?.register(app)
  registerCallSupport(app, deps, (token) => deps.identities.identify(token))
  registerBodies(app)
  registerSecurityHeaders(app, config.webFolder)
  registerDrain(app)
  registerCompression(app)
  const connections = watchConnections(app.server, timeouts, config.trustProxy.length > 0)
  registerAdmissionControl(app, deps.pool, connections)
  registerRequestHeadChecks(app)
  await registerCors(app, config.corsOrigins)
  await app.register(multipart)
  const isWorker = config.process === 'worker'
  await registerWeb(app, isWorker ? null : config.webFolder)
  if (!isWorker) await registerDocs(app, config.apiDocs === 'public')
  const routes = isWorker ? probes : [...probes, ...accountRoutes, ...domainRoutes]
  for (const register of routes) register(app, deps)
  sweepIncoming(app, config)
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

function sweepIncoming(
  app: FastifyInstance,
  { dataFolder, databaseUrl }: Pick<Config, 'dataFolder' | 'databaseUrl'>,
): void {
  let stop: (() => void) | undefined
  app.addHook('onReady', async () => {
    stop = await startIncomingSweeps(dataFolder, {
      // An embedded database allows one process.
      isAlone: databaseUrl === undefined,
      onError: (error) => app.log.warn({ err: error }, 'Files of ended requests could not be removed'),
    })
  })
  app.addHook('onClose', async () => stop?.())
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
