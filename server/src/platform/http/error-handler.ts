import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fromDiskError } from '../files/disk-errors.ts'
import { AppError } from './errors.ts'
import { LogSampling } from './log-sampling.ts'
import { refusalHeaders } from './security-headers.ts'
import { fromDatabaseError } from '../database/pg-errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    errorSampling: LogSampling
  }
}

/**
 * Registers the error handler: known errors are sent with their code, all others as 500 without details.
 */
export function registerErrorHandler(app: FastifyInstance): void {
  app.decorate('errorSampling', new LogSampling())
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
}

const getErrorKind = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : 'unknown').slice(0, 300)

/** Sends an error as `{detail, code, params?, errors?}`. Logs unexpected errors with the id of the request. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const knownError =
    error instanceof AppError
      ? error
      : (fromFrameworkError(error) ?? fromDatabaseError(error) ?? fromDiskError(error))
  const answer = knownError ?? new AppError('internal', { request: request.id })
  const { errorSampling } = request.server
  if (knownError === null)
    errorSampling.log(request.log, {
      level: 'error',
      kind: getErrorKind(error),
      fields: { err: error },
      message: 'Unexpected error',
    })
  // The message of an AppError is complete, so its stack is not logged.
  else if (answer.status === 503)
    errorSampling.log(request.log, {
      level: 'warn',
      kind: answer.message,
      fields: knownError === error ? {} : { err: error },
      message: answer.message,
    })
  if (answer.code === 'unauthenticated') void reply.header('www-authenticate', 'Bearer')
  if (answer.retryAfter !== undefined) void reply.header('retry-after', String(answer.retryAfter))
  if (answer.status === 416) void reply.headers(getRangeHeaders(error))
  // A cache must not store the refusal of a file in place of the file.
  void reply.header('cache-control', 'no-store')
  // The handler may have set another content type before it failed.
  void reply.type('application/json; charset=utf-8')
  return reply.code(answer.status).send(answer.problem())
}

/** Sends an error of the router, such as an invalid URL. No hook runs before, so the limits of connections apply here. */
export function sendRouterError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!request.server.admitOnConnection(request, reply)) return
  void reply.headers({ ...refusalHeaders, 'x-request-id': request.id })
  void sendError(error, request, reply)
}

const frameworkCodes = {
  404: 'no_such_page',
  405: 'method_refused',
  412: 'precondition_failed',
  413: 'body_too_large',
  414: 'path_too_long',
  415: 'body_type_refused',
  416: 'range_not_satisfiable',
} as const
const hasFrameworkCode = (status: number): status is keyof typeof frameworkCodes => status in frameworkCodes

/** The header `content-range` that a 416 must have: it names the size of the file. */
const getRangeHeaders = (error: unknown): Record<string, string> =>
  (error as { headers?: Record<string, string> }).headers ?? {}

/** Converts an error of Fastify by its status; null for any other error. */
function fromFrameworkError(error: unknown): AppError | null {
  const { statusCode, message } = error as Partial<FastifyError>
  if (!(error instanceof Error) || statusCode === undefined || statusCode < 400 || statusCode > 499)
    return null
  const code = hasFrameworkCode(statusCode) ? frameworkCodes[statusCode] : 'malformed'
  return new AppError(code, { message: message || `${STATUS_CODES[statusCode] ?? 'Refused'}.` })
}
