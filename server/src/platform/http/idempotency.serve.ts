import type { Call } from '@karvon/contract/lib/call.ts'
import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { maxIdempotencyKey } from '@karvon/contract/lib/limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from './errors.ts'
import {
  getIdempotentRequest,
  IdempotentRequest,
  ReplayedAnswer,
  runWithIdempotentRequest,
  type IdempotencyStore,
} from './idempotency.ts'
import { leaseRenewalInterval } from './idempotency.queries.ts'
import { getIdentity } from './guard.ts'
import { waitForOtherProcesses } from '../security/identities.ts'
import { RawJson } from './raw-json.ts'

declare module 'fastify' {
  interface FastifyInstance {
    idempotencyStore: IdempotencyStore
  }
}

const keyHeader = 'idempotency-key'
const keyPattern = new RegExp(`^[\\x20-\\x7e]{1,${maxIdempotencyKey}}$`)

/**
 * Runs the handler once for all requests with one Idempotency-Key; repeats get the answer of the first request. Without
 * a key it runs for each request. Errors: those of {@link IdempotentRequest.checkRepeat}; 422 for a malformed key.
 */
export async function runIdempotent(
  request: FastifyRequest,
  reply: FastifyReply,
  { call, handler }: { call: Call; handler: () => Promise<unknown> },
): Promise<unknown> {
  const key = request.headers[keyHeader]
  if (key === undefined) return handler()
  if (typeof key !== 'string' || !keyPattern.test(key))
    throw invalid([
      fieldError(keyHeader, 'not_printable', { label: 'Idempotency-Key', max: maxIdempotencyKey }),
    ])
  const { params, query, method } = request
  // A body that the call does not declare is ignored.
  const body = call.body === undefined ? null : (request.body ?? null)
  const idempotentRequest = new IdempotentRequest(request.server.idempotencyStore, {
    key,
    scope: [getIdentity(request).userId, method, call.path, params, query],
    status: call.status ?? 200,
    isRepeatable: call.repeat === 'again',
  })
  const timer = setInterval(() => {
    idempotentRequest
      .renewLease()
      .catch((error: unknown) =>
        request.log.warn({ err: error }, 'The lease of an Idempotency-Key was not renewed'),
      )
  }, leaseRenewalInterval)
  try {
    // The content of a multipart form is known only after its handler has received it.
    if (call.consumes !== 'multipart') await idempotentRequest.checkRepeat(JSON.stringify(body))
    const answer = await runWithIdempotentRequest(idempotentRequest, handler)
    const text = answer instanceof RawJson ? answer.text : serializeAnswer(reply, answer)
    // The work is done, so it is answered even if the answer cannot be stored.
    await idempotentRequest.storeAnswer(reply.statusCode, text).catch((error: unknown) => {
      request.log.warn({ err: error }, 'The answer of an Idempotency-Key was not stored')
    })
    return new RawJson(text)
  } catch (error) {
    const result =
      error instanceof ReplayedAnswer ? error : await resolveFailure(idempotentRequest, error, request)
    if (!(result instanceof ReplayedAnswer)) throw result
    // The first request may still wait for the identity caches of other processes. Its repeat must wait too.
    await waitForOtherProcesses(request.server.idempotencyStore.db)
    void reply.code(result.status).header('idempotency-replayed', 'true')
    return new RawJson(result.text)
  } finally {
    clearInterval(timer)
  }
}

/** Serializes by the schema of the call, as Fastify does. */
const serializeAnswer = (reply: FastifyReply, answer: unknown): string => {
  const text = reply.serialize(answer)
  return typeof text === 'string' ? text : Buffer.from(text as ArrayBuffer).toString('utf8')
}

/** Returns the error to answer after a failure, or the stored answer if a parallel request was faster. */
async function resolveFailure(
  idempotentRequest: IdempotentRequest,
  error: unknown,
  request: FastifyRequest,
): Promise<unknown> {
  try {
    await idempotentRequest.handleFailure(error)
    return error
  } catch (failure) {
    request.log.debug({ err: error }, 'A request failed because its repeat was faster')
    return failure
  }
}

/** Checks a received multipart form; see {@link IdempotentRequest.checkRepeat}. */
export async function checkRepeatedForm(fields: Record<string, string>, sha256: string): Promise<void> {
  await getIdempotentRequest()?.checkRepeat(JSON.stringify([sha256, fields]))
}
