import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { parseKeyPairsIntoRecord, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { TracingSettings } from '../../config.tracing.ts'
import { describeStatement } from '../database/pool.statements.ts'
import { LogSampling } from '../http/log-sampling.ts'
import type { Tracing } from './tracing.ts'
import { traceOutgoing } from './tracing.outgoing.ts'
import { createSampler } from './tracing.sampler.ts'

/** Milliseconds to send the last spans when the process stops. */
const closeTimeout = 5000

/** What the functions of a tracing share: the tracer, and the context of each asynchronous call. */
interface TraceDeps {
  tracer: Tracer
  contexts: AsyncLocalStorageContextManager
}

/**
 * Creates the tracing. The exporter reads its address, certificates and timeout from the standard variables.
 * At most 2,048 ended spans wait to be sent; further ones are dropped.
 */
export function createTracing(settings: TracingSettings, log: FastifyBaseLogger): Tracing {
  logDiagnostics(log)
  const provider = createProvider(settings)
  const tracer = provider.getTracer('karvon')
  const contexts = new AsyncLocalStorageContextManager().enable()
  const stopTracingOutgoing = traceOutgoing(tracer, { getContext: () => contexts.active(), endSpan })
  const deps: TraceDeps = { tracer, contexts }
  return {
    register: (app) => traceRequests(app, deps),
    observeStatement: (text) => startStatement(text, deps),
    traceJob: (name, run) => traceJob(name, run, deps),
    async close() {
      stopTracingOutgoing()
      const timeout = Promise.withResolvers<void>()
      const timer = setTimeout(timeout.resolve, closeTimeout)
      await Promise.race([provider.shutdown().catch(() => {}), timeout.promise])
      clearTimeout(timer)
      contexts.disable()
    },
  }
}

/** Writes the warnings and errors of the OpenTelemetry packages into the log of the process. */
function logDiagnostics(log: FastifyBaseLogger): void {
  const sampling = new LogSampling()
  const warn = (message: string) =>
    sampling.log(log, { level: 'warn', kind: message, fields: { reason: message }, message: 'Tracing' })
  diag.setLogger(
    { error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}

const createProvider = (settings: TracingSettings): TracerProvider =>
  new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'karvon' }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    sampler: createSampler(settings),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ headers: parseKeyPairsIntoRecord(settings.headers) }),
      }),
    ],
  })

/** Adds a span for each request of an app. The span continues the trace of the caller. */
function traceRequests(app: FastifyInstance, { tracer, contexts }: TraceDeps): void {
  const propagator = new W3CTraceContextPropagator()
  const contextByRequest = new WeakMap<FastifyRequest, Context>()
  const getContext = (request: FastifyRequest) => contextByRequest.get(request) ?? ROOT_CONTEXT
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
    const route = request.routeOptions.url ?? 'other'
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
    const context = trace.setSpan(parent, span)
    contextByRequest.set(request, context)
    contexts.with(context, done)
  })
  // The reading of a body loses the context of the request.
  app.addHook('preHandler', (request, _reply, done) => {
    contexts.with(getContext(request), done)
  })
  app.addHook('onResponse', async (request, reply) => {
    const span = trace.getSpan(getContext(request))
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  })
}

/** Starts the span of a statement within the current span, and returns the function that ends it. */
function startStatement(text: string, { tracer, contexts }: TraceDeps): (error?: unknown) => void {
  const context = contexts.active()
  if (trace.getSpan(context) === undefined) return () => {}
  const statement = describeStatement(text)
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': statement }
  const name = /^\w+/.exec(statement)?.[0].toUpperCase() ?? 'SQL'
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context)
  return (error) => endSpan(span, error)
}

/** Runs a job in a trace of its own. */
async function traceJob<T>(name: string, run: () => Promise<T>, { tracer, contexts }: TraceDeps): Promise<T> {
  const span = tracer.startSpan(`job ${name}`, { kind: SpanKind.INTERNAL }, ROOT_CONTEXT)
  try {
    const result = await contexts.with(trace.setSpan(ROOT_CONTEXT, span), run)
    endSpan(span)
    return result
  } catch (error) {
    endSpan(span, error)
    throw error
  }
}

/** Ends a span. Records the code or the name of an error, never its message, which may have personal data. */
function endSpan(span: Span, error?: unknown): void {
  if (error !== undefined && error !== null) {
    const { code } = error as { code?: unknown }
    const name = error instanceof Error ? error.name : 'unknown'
    span.setAttribute('error.type', typeof code === 'string' ? code : name)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
