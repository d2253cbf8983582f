import {
  takesKey,
  type AnswerOf,
  type BodyOf,
  type Call,
  type Method,
  type QueryOf,
} from '@karvon/contract/lib/call.ts'
import type { Fields } from '@karvon/contract/lib/field.ts'
import { mediaTypes } from '@karvon/contract/lib/format.ts'
import { maxIdempotencyKey } from '@karvon/contract/lib/limits.ts'
import { Problem } from '@karvon/contract/lib/problem.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { withStatementTimeout } from '../database/statement-timeout.ts'
import { AppError, invalid } from './errors.ts'
import { AllRows } from '../exports/exports.rows.ts'
import { sendRows } from '../exports/exports.send.ts'
import { connectionEnd } from './connection-end.ts'
import { guardHook, identityOf, type Identity } from './guard.ts'
import { once } from './idempotency.serve.ts'
import { maxPublicBodyBytes, statementWithinPerson, statementWithinPublic } from '../limits/limits.ts'
import { formFields } from './multipart.ts'
import { RawJson } from './raw-json.ts'
import { Shares } from '../limits/shares.ts'
import { checker } from './validation.ts'
import { refuseMalformed } from './wellformed.ts'

type Known<T, Otherwise> = unknown extends T ? Otherwise : T
type ParamsOf<C> = C extends Call<infer P, TSchema, TSchema, TSchema> ? Static<P> : never

/** One call as its handler sees it: checked, coerced, and with what the declaration does not name left out. */
export interface Ask<C extends Call> {
  params: Known<ParamsOf<C>, Record<string, never>>
  query: Known<QueryOf<C>, Record<string, unknown>>
  body: Known<BodyOf<C>, Record<string, unknown>>
  /** Who calls. Not there on a public call: reading it throws. */
  readonly person: Identity
  request: FastifyRequest
  reply: FastifyReply
}

export type Handler<C extends Call> = (
  ask: Ask<C>,
) => Promise<Known<AnswerOf<C>, unknown> | RawJson | AllRows | FastifyReply>

/** `fields` give error texts their labels; `prepare` makes a body ready for its schema. */
export interface Serving {
  fields?: Fields
  prepare?: (body: Record<string, unknown>) => Record<string, unknown>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Each person's works that are under way. */
    shares: Shares
  }
  interface FastifyContextConfig {
    call?: Call
  }
}

/**
 * Serves a declared call: path, method (and `also`), guard, checks, status and documentation come from the
 * declaration. The handler answers the body, a {@link RawJson}, the {@link AllRows} of a list that was asked
 * for a file, or the reply it sent itself.
 * Errors of its own: 401, 403, 413, 415, 422.
 */
export function serve<C extends Call>(
  app: FastifyInstance,
  call: C,
  handler: Handler<C>,
  more: Serving = {},
): void {
  if (!app.hasDecorator('shares')) app.decorate('shares', new Shares())
  const url = call.path.replace(/\/$/, '')
  const methods = call.also === undefined ? [call.method] : [call.method, call.also]
  for (const method of methods) {
    const keyed = takesKey(call, method)
    // A file takes the time that its line needs; those calls have slots.
    const shared = call.guard !== 'public' && call.consumes !== 'multipart'
    const options: RouteOptions = {
      method,
      url,
      ...(call.guard === 'public' && { bodyLimit: maxPublicBodyBytes }),
      config: { call },
      schema: documented(call, method),
      validatorCompiler: ({ schema, httpPart }) =>
        // The one header that is declared is looked at where it counts, and a form as it comes in.
        httpPart === 'headers' || (httpPart === 'body' && call.body === undefined)
          ? () => true
          : checker(schema, httpPart === 'body' ? 'body' : 'address', more.fields),
      onRequest: [
        ...(call.guard === 'public' ? [] : [guardHook(call.guard, call.beforeSecondFactor)]),
        ...mediaHooks(call),
      ],
      preValidation: (request) => prepareRequest(request, call, more),
      handler: async (request, reply) => {
        void reply.code(call.status ?? 200)
        const ask = askOf<C>(request, reply)
        const answered = async () => (keyed ? once(request, reply, call, () => handler(ask)) : handler(ask))
        const timeout = statementTimeoutOf(request)
        const work = timeout === null ? answered : () => withStatementTimeout(timeout, answered)
        const answer = shared
          ? await request.server.shares.run(ask.person.userId, connectionEnd(request), work)
          : await work()
        if (answer instanceof AllRows) return sendRows(reply, call, answer)
        if (!(answer instanceof RawJson)) return answer
        return reply.type('application/json; charset=utf-8').serializer(asItIs).send(answer.text)
      },
    }
    app.route(options)
  }
}

/** An admin's statements have as long as those of the work in the background. */
function statementTimeoutOf({ identity }: FastifyRequest): number | null {
  if (identity === null) return statementWithinPublic
  return identity.admin ? null : statementWithinPerson
}

const asItIs = (payload: unknown) => payload as string

function askOf<C extends Call>(request: FastifyRequest, reply: FastifyReply): Ask<C> {
  return {
    params: request.params as Ask<C>['params'],
    query: request.query as Ask<C>['query'],
    body: request.body as Ask<C>['body'],
    get person() {
      return identityOf(request)
    },
    request,
    reply,
  }
}

function documented(call: Call, method: Method) {
  return {
    operationId: method === call.method ? call.id : `${call.id}.${method.toLowerCase()}`,
    summary: call.summary,
    tags: [call.id.split('.')[0] ?? call.id],
    ...(call.guard !== 'public' && { security: [{ bearer: [] }] }),
    ...((call.body ?? call.form) && { consumes: [...accepted[call.consumes ?? 'json']] }),
    ...(call.params && { params: call.params }),
    ...((method === 'POST' || takesKey(call, method)) && { headers: keyHeader(takesKey(call, method)) }),
    ...(call.query && { querystring: call.query }),
    ...((call.body ?? call.form) && { body: call.body ?? call.form }),
    response: { ...answers(call), '4xx': Problem, '5xx': Problem },
  }
}

const keyHeader = (taken: boolean) => ({
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      minLength: 1,
      maxLength: maxIdempotencyKey,
      description: taken
        ? 'A name of the sender’s own making for this request, a UUID say. A repeat within 24 hours changes nothing and is answered as the first was.'
        : 'Left aside here: the call changes nothing, or knows its repeats by what they say.',
    },
  },
})

/** JSON, the files that a list or a template can be asked for, or what else a call answers. */
function answers({ query, status = 200, answer, answers: type, summary }: Call) {
  if (type !== undefined)
    return { [status]: { description: summary, content: { [type]: { schema: { type: 'string' } } } } }
  if (!declares(query, 'format')) return answer && { [status]: answer }
  const content: Record<string, { schema: unknown }> = {}
  if (answer !== undefined) content['application/json'] = { schema: answer }
  for (const type of Object.values(mediaTypes)) content[bareType(type)] = { schema: { type: 'string' } }
  return { [status]: { description: summary, content } }
}

const bareType = (type: string) => type.split(';')[0]?.trim().toLowerCase() ?? ''

const accepted: Record<NonNullable<Call['consumes']>, readonly string[]> = {
  json: ['application/json'],
  multipart: ['multipart/form-data'],
  any: ['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'],
}

/** 415 before a body is read; a call that declares no body takes and ignores any. */
function mediaHooks(call: Call): ((request: FastifyRequest) => Promise<void>)[] {
  const consumes = call.consumes ?? (call.body === undefined ? null : 'json')
  return consumes === null ? [] : [mediaHook(consumes)]
}

function mediaHook(consumes: NonNullable<Call['consumes']>) {
  return async (request: FastifyRequest): Promise<void> => {
    const { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding } = request.headers
    const bare = encoding === undefined && (length === undefined || length === '0')
    if (bare && type === undefined && consumes !== 'multipart') return
    const media = bareType(type ?? '')
    if (accepted[consumes].includes(media)) return
    throw new AppError('unsupported_type', `Send the body as ${accepted[consumes].join(' or ')}.`)
  }
}

async function prepareRequest(request: FastifyRequest, call: Call, more: Serving): Promise<void> {
  refuseMalformed(request.params)
  const query = picked(request.query, call.query)
  for (const [key, value] of Object.entries(query)) if (value === '') delete query[key]
  refuseMalformed(query)
  request.query = query
  if (call.body === undefined) return
  const given =
    call.consumes === 'any' && request.isMultipart() ? await formFields(request) : (request.body ?? {})
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw invalid([{ field: 'body', message: 'The body must be a JSON object' }])
  }
  const body = more.prepare?.(given as Record<string, unknown>) ?? picked(given, call.body)
  refuseMalformed(body, more.fields)
  request.body = body
}

/** What the schema declares, and no other key. */
function picked(given: unknown, schema: TSchema | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([key]) => declares(schema, key)))
}

function declares(schema: TSchema | undefined, key: string): boolean {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, TSchema> }
  return Object.hasOwn(properties, key)
}
