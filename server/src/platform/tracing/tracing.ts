// Tracing by OpenTelemetry. Its packages are loaded only if traces are sent.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { TracingSettings } from '../../config.tracing.ts'
import type { StatementObserver } from '../database/pool.statements.ts'

/** Records spans of requests and jobs, and of their statements, outgoing requests, mails and requests to a bucket. */
export interface Tracing {
  /** Traces the requests of an app. Register it before other hooks. */
  register(app: FastifyInstance): void
  /** Traces statements inside a request or a job. */
  readonly observeStatement: StatementObserver
  traceJob<Result>(name: string, run: () => Promise<Result>): Promise<Result>
  /** Sends the recorded spans. */
  close(): Promise<void>
}

/** Opens the tracing of a process; null without its settings. */
export async function openTracing(
  settings: TracingSettings | undefined,
  log: FastifyBaseLogger,
): Promise<Tracing | null> {
  if (settings === undefined) return null
  const { createTracing } = await import('./tracing.otel.ts')
  return createTracing(settings, log)
}
