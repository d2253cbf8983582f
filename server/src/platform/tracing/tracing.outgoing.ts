import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { SpanKind, trace, type Attributes, type Context, type Span, type Tracer } from '@opentelemetry/api'
import { outgoingCallChannel, type OutgoingCallMessage } from './tracing.calls.ts'

/** A message of undici, see https://undici.nodejs.org/#/docs/api/DiagnosticsChannel. */
interface RequestMessage {
  request: { origin?: string | URL; method: string }
  response?: { statusCode: number }
  error?: Error
}

interface Recording {
  getContext: () => Context
  endSpan: (span: Span, error?: unknown) => void
}

/**
 * Records a span for each HTTP request, mail and request to a bucket of a traced request or job. A span has the host,
 * and the method and the status of an HTTP request. Paths, headers and mail addresses are not recorded, because they
 * have secrets and personal data. Returns a function that stops the recording.
 */
export function traceOutgoing(tracer: Tracer, recording: Recording): () => void {
  const startSpan = (name: string, attributes: Attributes): Span | undefined => {
    const active = recording.getContext()
    if (trace.getSpan(active) === undefined) return undefined
    return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, active)
  }
  const stops = [traceRequests(startSpan, recording), traceCalls(startSpan, recording)]
  return () => {
    for (const stop of stops) stop()
  }
}

type StartSpan = (name: string, attributes: Attributes) => Span | undefined

function traceRequests(startSpan: StartSpan, { endSpan }: Recording): () => void {
  const spans = new WeakMap<object, Span>()
  const end = ({ request, error }: RequestMessage) => {
    const span = spans.get(request)
    spans.delete(request)
    if (span !== undefined) endSpan(span, error)
  }
  const listeners: Record<string, (message: RequestMessage) => void> = {
    'undici:request:create': ({ request }) => {
      const { host } = new URL(request.origin ?? 'http://unknown')
      const attributes = { 'http.request.method': request.method, 'server.address': host }
      const span = startSpan(`${request.method} ${host}`, attributes)
      if (span !== undefined) spans.set(request, span)
    },
    'undici:request:headers': ({ request, response }) => {
      spans.get(request)?.setAttribute('http.response.status_code', response?.statusCode ?? 0)
    },
    'undici:request:trailers': end,
    'undici:request:error': end,
  }
  const entries = Object.entries(listeners) as [string, (message: unknown) => void][]
  for (const [name, listener] of entries) subscribe(name, listener)
  return () => {
    for (const [name, listener] of entries) unsubscribe(name, listener)
  }
}

function traceCalls(startSpan: StartSpan, { endSpan }: Recording): () => void {
  const spans = new WeakMap<object, Span>()
  const listeners = {
    start: (message: OutgoingCallMessage) => {
      const span = startSpan(`${message.name} ${message.host}`, { 'server.address': message.host })
      if (span !== undefined) spans.set(message, span)
    },
    asyncEnd: (message: OutgoingCallMessage) => {
      const span = spans.get(message)
      if (span !== undefined) endSpan(span, message.error)
    },
  }
  outgoingCallChannel.subscribe(listeners)
  return () => outgoingCallChannel.unsubscribe(listeners)
}
