import {
  acceptsIdempotencyKey,
  type AnswerOf,
  type BodyOf,
  type Call,
  type Method,
  type QueryOf,
} from '@karvon/contract/lib/call.ts'
import type { Fields } from '@karvon/contract/lib/field.ts'
import { splitFilter } from '@karvon/contract/lib/filter-values.ts'
import { mediaTypes } from '@karvon/contract/lib/format.ts'
import { maxIdempotencyKey } from '@karvon/contract/lib/limits.ts'
import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { Problem } from '@karvon/contract/lib/problem.ts'
import { trimText } from '@karvon/contract/lib/trim-text.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { withStatementTimeout } from '../database/statement-timeout.ts'
import { AppError, invalid } from './errors.ts'
import { ExportRows } from '../exports/exports.rows.ts'
import { runOnReadSource } from './read-source.ts'
import { sendExport } from '../exports/exports.send.ts'
import { buildQueueOptions } from './connection-end.ts'
import { createGuardHook, getIdentity, refuseEndedSession, type Identity } from './guard.ts'
import { runIdempotent } from './idempotency.serve.ts'
import {
  maxChangesPerPerson,
  maxPublicBodyBytes,
  personStatementTimeout,
  publicStatementTimeout,
} from '../limits/limits.ts'
import { readFormFields } from './multipart.ts'
import { RawJson } from './raw-json.ts'
import type { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import { RateLimiter } from '../limits/rate-limiter.ts'
import { createRunningRequestLimit } from '../limits/request-limits.ts'
import { createValidator } from './validation.ts'
import { refuseMalformed } from './wellformed.ts'

type OrDefault<T, Otherwise> = unknown extends T ? Otherwise : T
type ParamsOf<C> = C extends Call<infer P, TSchema, TSchema, TSchema> ? Static<P> : never

/** The parameter of a handler: a validated and converted request, without keys that the call does not declare. */
export interface CallContext<C extends Call> {
  params: OrDefault<ParamsOf<C>, Record<string, never>>
  query: OrDefault<QueryOf<C>, Record<string, unknown>>
  body: OrDefault<BodyOf<C>, Record<string, unknown>>
  /** The person who calls. Throws on a public call. */
  readonly person: Identity
  request: FastifyRequest
  reply: FastifyReply
}

export type Handler<C extends Call> = (
  context: CallContext<C>,
) => Promise<OrDefault<AnswerOf<C>, unknown> | RawJson | ExportRows | FastifyReply>

/** `fields` have the labels for error texts. `prepare` converts a body before validation. */
interface ServeOptions {
  fields?: Fields
  prepare?: (body: Record<string, unknown>) => Record<string, unknown>
}

declare module 'fastify' {
  interface FastifyInstance {
    runningRequests: ConcurrencyLimit<number>
    isDatabaseBusy?: () => boolean
    changeLimiter: RateLimiter
  }
  interface FastifyContextConfig {
    call?: Call
  }
}

/**
 * Registers the route of a declared call. Path, methods, guard, validation, status and documentation come from the
 * declaration. The handler returns the body, a {@link RawJson}, {@link ExportRows} for a list as a file, or the reply
 * that it has sent. Errors of the route itself: 401, 403, 413, 415, 422. The main file of platform/http.
 */
export function serve<C extends Call>(
  app: FastifyInstance,
  call: C,
  route: Handler<C> | (ServeOptions & { handler: Handler<C> }),
): void {
  const { handler, ...options } = typeof route === 'function' ? { handler: route } : route
  if (!app.hasDecorator('runningRequests')) {
    app.decorate('runningRequests', createRunningRequestLimit(app.isDatabaseBusy ?? (() => false)))
    app.decorate('changeLimiter', new RateLimiter(maxChangesPerPerson))
  }
  const url = call.path.replace(/\/$/, '')
  const methods = call.alternateMethod === undefined ? [call.method] : [call.method, call.alternateMethod]
  for (const method of methods) {
    const hasKey = acceptsIdempotencyKey(call, method)
    // The time of a multipart call depends on the client's connection. Its handler has a limit of heavy tasks instead.
    const isQueued = call.guard !== 'public' && call.consumes !== 'multipart'
    app.route({
      method,
      url,
      ...(call.guard === 'public' && { bodyLimit: maxPublicBodyBytes }),
      config: { call },
      schema: describeRoute(call, method),
      validatorCompiler: ({ schema, httpPart }) =>
        // Idempotency-Key is validated by runIdempotent, and a multipart form while it arrives.
        httpPart === 'headers' || (httpPart === 'body' && call.body === undefined)
          ? () => true
          : createValidator(schema, httpPart === 'body' ? 'body' : 'address', options.fields),
      onRequest: [
        ...(call.guard === 'public' ? [] : [createGuardHook(call.guard, call.beforeSecondFactor)]),
        ...createMediaHooks(call),
      ],
      preValidation: (request) => prepareRequest(request, call, options),
      handler: async (request, reply) => {
        if (hasKey && isQueued) refuseFrequentChanges(request)
        void reply.code(call.status ?? 200)
        const context = new RequestContext<C>(request, reply)
        const runHandler = async () => {
          if (method !== 'GET') await refuseEndedSession(request)
          return hasKey
            ? runIdempotent(request, reply, { call, handler: () => handler(context) })
            : handler(context)
        }
        const timeout = getStatementTimeout(request)
        const work = timeout === null ? runHandler : () => withStatementTimeout(timeout, runHandler)
        const answer = await runOnReadSource(reply, call, async () => {
          const result = isQueued
            ? await request.server.runningRequests.run(
                context.person.userId,
                work,
                buildQueueOptions(request),
              )
            : await work()
          return result instanceof ExportRows ? sendExport(reply, call, result) : result
        })
        if (!(answer instanceof RawJson)) return answer
        return reply.type('application/json; charset=utf-8').serializer(sendUnchanged).send(answer.text)
      },
    })
  }
}

/** Limits the changes of a person, because some of their rows are kept for ever. Errors: 429. */
function refuseFrequentChanges({ identity, server }: FastifyRequest): void {
  if (identity === null || identity.isAdmin) return
  const retryAfter = server.changeLimiter.consume(String(identity.userId))
  if (retryAfter > 0) throw new AppError('too_many_requests', { seconds: retryAfter }, { retryAfter })
}

/** Milliseconds; null: the default of the pool, as for background jobs. */
function getStatementTimeout({ identity }: FastifyRequest): number | null {
  if (identity === null) return publicStatementTimeout
  return identity.isAdmin ? null : personStatementTimeout
}

const sendUnchanged = (payload: unknown) => payload as string

class RequestContext<C extends Call> implements CallContext<C> {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly params: CallContext<C>['params']
  readonly query: CallContext<C>['query']
  readonly body: CallContext<C>['body']

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request
    this.reply = reply
    this.params = request.params as CallContext<C>['params']
    this.query = request.query as CallContext<C>['query']
    this.body = request.body as CallContext<C>['body']
  }

  get person(): Identity {
    return getIdentity(this.request)
  }
}

function describeRoute(call: Call, method: Method) {
  return {
    operationId: method === call.method ? call.id : `${call.id}.${method.toLowerCase()}`,
    summary: call.summary,
    tags: [call.id.split('.')[0] ?? call.id],
    ...(call.guard !== 'public' && { security: [{ bearer: [] }] }),
    ...((call.body ?? call.form) && { consumes: [...acceptedTypes[call.consumes ?? 'json']] }),
    ...(call.params && { params: call.params }),
    ...((method === 'POST' || acceptsIdempotencyKey(call, method)) && {
      headers: describeKeyHeader(acceptsIdempotencyKey(call, method)),
    }),
    ...(call.query && { querystring: call.query }),
    ...((call.body ?? call.form) && { body: call.body ?? call.form }),
    response: { ...describeResponses(call), '4xx': Problem, '5xx': Problem },
  }
}

const describeKeyHeader = (isAccepted: boolean) => ({
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      minLength: 1,
      maxLength: maxIdempotencyKey,
      description: isAccepted
        ? 'A unique name for this request that the client chooses, for example a UUID. A repeat within 24 hours changes nothing and gets the first answer.'
        : 'Ignored: the call changes nothing, or it recognises a repeat by its content.',
    },
  },
})

/** The media types of the answers: the declared one, or JSON and the file formats of a list or a template. */
function describeResponses({ query, status = 200, answer, mediaType: type, summary }: Call) {
  if (type !== undefined)
    return { [status]: { description: summary, content: { [type]: { schema: { type: 'string' } } } } }
  if (!isDeclared(query, 'format')) return answer && { [status]: answer }
  const content: Record<string, { schema: unknown }> = {}
  if (answer !== undefined) content['application/json'] = { schema: answer }
  for (const type of Object.values(mediaTypes)) content[getMediaType(type)] = { schema: { type: 'string' } }
  return { [status]: { description: summary, content } }
}

const getMediaType = (type: string) => type.split(';')[0]?.trim().toLowerCase() ?? ''

const acceptedTypes: Record<NonNullable<Call['consumes']>, readonly string[]> = {
  json: ['application/json'],
  multipart: ['multipart/form-data'],
  any: ['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'],
}

/** Answers 415 before the body is read. A call that declares no body accepts and ignores any. */
function createMediaHooks(call: Call): ((request: FastifyRequest) => Promise<void>)[] {
  const consumes = call.consumes ?? (call.body === undefined ? null : 'json')
  return consumes === null ? [] : [createMediaHook(consumes)]
}

function createMediaHook(consumes: NonNullable<Call['consumes']>) {
  return async (request: FastifyRequest): Promise<void> => {
    const { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding } = request.headers
    const hasNoBody = encoding === undefined && (length === undefined || length === '0')
    if (hasNoBody && type === undefined && consumes !== 'multipart') return
    const types = acceptedTypes[consumes].join(' or ')
    // A compressed body would be read as it is.
    if (!/^identity$/i.test(request.headers['content-encoding'] ?? 'identity'))
      throw new AppError('body_type_unsupported', { types: `${types}, without a content-encoding` })
    if (acceptedTypes[consumes].includes(getMediaType(type ?? ''))) return
    throw new AppError('body_type_unsupported', { types })
  }
}

/** Parameters that people type and paste. They arrive trimmed, or not at all if nothing is left. */
const typedParams: ReadonlySet<string> = new Set(['search', 'orderno'])

async function prepareRequest(request: FastifyRequest, call: Call, options: ServeOptions): Promise<void> {
  refuseMalformed(request.params)
  const query = pickDeclared(request.query, call.query)
  for (const [key, value] of Object.entries(query)) {
    if (typeof value !== 'string') continue
    const text = typedParams.has(key) ? trimText(value) : value
    if (text === '') delete query[key]
    else query[key] = splitIfFilter(text, getProperties(call.query)[key])
  }
  refuseMalformed(query)
  request.query = query
  if (call.body === undefined) return
  const input =
    call.consumes === 'any' && request.isMultipart() ? await readFormFields(request) : (request.body ?? {})
  if (typeof input !== 'object' || Array.isArray(input)) {
    throw invalid([fieldError('body', 'body_not_object')])
  }
  const body = options.prepare?.(input as Record<string, unknown>) ?? pickDeclared(input, call.body)
  refuseMalformed(body, options.fields)
  request.body = body
}

/** Splits a filter of several values that comes as one text. Any other value is unchanged. */
function splitIfFilter(value: string, schema: PropertySchema | undefined): string | string[] {
  if (schema?.items === undefined) return value
  return splitFilter(value, schema.items.type === 'integer' ? 'number' : 'text')
}

type PropertySchema = TSchema & { items?: { type?: string } }

function getProperties(schema: TSchema | undefined): Record<string, PropertySchema> {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, PropertySchema> }
  return properties
}

/** Keeps the keys that the schema declares. */
function pickDeclared(input: unknown, schema: TSchema | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input ?? {}).filter(([key]) => isDeclared(schema, key)))
}

const isDeclared = (schema: TSchema | undefined, key: string): boolean =>
  Object.hasOwn(getProperties(schema), key)
