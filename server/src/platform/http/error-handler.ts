import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ProblemCode } from '@karvon/contract/lib/problem.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { appErrorOfDisk } from '../files/disk-errors.ts'
import { AppError } from './errors.ts'
import { LogSampling } from './log-sampling.ts'
import { appErrorOfDatabase } from '../database/pg-errors.ts'

/** Every error leaves through here: known ones as they are, all others as 500 without internals. */
export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
}

const sampling = new LogSampling()

const kindOf = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : 'unknown').slice(0, 300)

/** Sends an error as `{detail, code, errors?}`; logs what is our own fault, with the request's id. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known =
    error instanceof AppError
      ? error
      : (ofFramework(error) ?? appErrorOfDatabase(error) ?? appErrorOfDisk(error))
  const answer =
    known ?? new AppError('internal', `Something went wrong on the server (request ${request.id}).`)
  if (known === null) sampling.log(request.log, 'error', kindOf(error), { err: error }, 'Unexpected error')
  // A refusal of our own says all in its message; a stack of it would only make a flood larger.
  else if (answer.status === 503)
    sampling.log(request.log, 'warn', answer.message, known === error ? {} : { err: error }, answer.message)
  if (answer.retryAfter !== undefined) void reply.header('retry-after', String(answer.retryAfter))
  // Whatever was to be answered may have said already what it is.
  void reply.type('application/json; charset=utf-8')
  return reply.code(answer.status).send(answer.problem())
}

/** Answers what is no HTTP request at all, straight on the connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error)
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const body = JSON.stringify(new AppError('malformed', 'This is not a request that can be read.').problem())
  const head = [
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  // What answers a HEAD has no body; more would be taken for the next answer.
  const { rawPacket: read } = error as { rawPacket?: unknown }
  const told = Buffer.isBuffer(read) && read.toString('latin1', 0, 5) === 'HEAD ' ? '' : body
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('\r\n')}\r\n\r\n${told}`)
}

const codes: Record<number, ProblemCode> = {
  400: 'malformed',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'too_large',
  414: 'address_too_long',
  415: 'unsupported_type',
}

/** The framework's own refusals of a request, by their status. */
function ofFramework(error: unknown): AppError | null {
  const { statusCode, message } = error as Partial<FastifyError>
  if (!(error instanceof Error) || statusCode === undefined || statusCode < 400 || statusCode > 499)
    return null
  const code = codes[statusCode] ?? 'malformed'
  return new AppError(code, message || `${STATUS_CODES[statusCode] ?? 'Refused'}.`)
}
