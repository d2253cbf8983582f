import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { SpanKind, trace, type Context, type Span, type Tracer } from '@opentelemetry/api'

/** What undici publishes with each message, see https://undici.nodejs.org/#/docs/api/DiagnosticsChannel. */
interface RequestMessage {
  request: { origin?: string | URL; method: string }
  response?: { statusCode: number }
  error?: Error
}

/**
 * Records a span for each HTTP request of undici that a traced request or job sends. A span has the method, the host and the
 * status. Paths and headers have tokens, so they are not recorded. Returns the end of the recording.
 */
export function traceOutgoingRequests(
  tracer: Tracer,
  { getContext, endSpan }: { getContext: () => Context; endSpan: (span: Span, error?: unknown) => void },
): () => void {
  const spans = new WeakMap<object, Span>()
  const end = ({ request, error }: RequestMessage) => {
    const span = spans.get(request)
    spans.delete(request)
    if (span !== undefined) endSpan(span, error)
  }
  const listeners: Record<string, (message: RequestMessage) => void> = {
    'undici:request:create': ({ request }) => {
      const active = getContext()
      if (trace.getSpan(active) === undefined) return
      const { host } = new URL(request.origin ?? 'http://unknown')
      const attributes = { 'http.request.method': request.method, 'server.address': host }
      const span = tracer.startSpan(
        `${request.method} ${host}`,
        { kind: SpanKind.CLIENT, attributes },
        active,
      )
      spans.set(request, span)
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
