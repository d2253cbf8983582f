import type { Call } from '@karvon/contract/lib/call.ts'
import { maxIdempotencyKey } from '@karvon/contract/lib/limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from './errors.ts'
import { currentKey, Keyed, Replay, withKey, type KeyStore } from './idempotency.ts'
import { renewEvery } from './idempotency.store.ts'
import { identityOf } from './guard.ts'
import { othersForgot } from '../security/identities.ts'
import { RawJson } from './raw-json.ts'

declare module 'fastify' {
  interface FastifyInstance {
    keys: KeyStore
  }
}

const header = 'idempotency-key'
const wellFormed = new RegExp(`^[\\x20-\\x7e]{1,${maxIdempotencyKey}}$`)

/**
 * Runs a call's handler once for all requests with one Idempotency-Key, and answers the repeats what the first
 * was answered; a request without a key as it is. Errors: see {@link Keyed.meet}; 422 for a key that is none.
 */
export async function once(
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  handler: () => Promise<unknown>,
): Promise<unknown> {
  const key = request.headers[header]
  if (key === undefined) return handler()
  if (typeof key !== 'string' || !wellFormed.test(key)) {
    const message = `Idempotency-Key must have 1 to ${maxIdempotencyKey} printable characters`
    throw invalid([{ field: header, message }])
  }
  const { params, query, method } = request
  // What is declared: a body that nobody asked for is nothing.
  const body = call.body === undefined ? null : (request.body ?? null)
  const keyed = new Keyed(request.server.keys, {
    key,
    scope: [identityOf(request).userId, method, call.path, params, query],
    status: call.status ?? 200,
    again: call.repeat === 'again',
  })
  const timer = setInterval(() => {
    keyed.renew().catch((error: unknown) => request.log.warn({ err: error }, 'Could not keep a key'))
  }, renewEvery)
  try {
    // A form is known only once its handler has received it.
    if (call.consumes !== 'multipart') await keyed.meet(JSON.stringify(body))
    const answer = await withKey(keyed, handler)
    const text = answer instanceof RawJson ? answer.text : serialised(reply, answer)
    // What was done is answered, whether or not that can be noted.
    await keyed.finish(reply.statusCode, text).catch((error: unknown) => {
      request.log.warn({ err: error }, 'An answer was not kept for its key')
    })
    return new RawJson(text)
  } catch (error) {
    const told = error instanceof Replay ? error : await instead(keyed, error, request)
    if (!(told instanceof Replay)) throw told
    // The first answer may still wait until no process goes by what was before, and this one is no earlier.
    await othersForgot(request.server.keys.db)
    void reply.code(told.status).header('idempotency-replayed', 'true')
    return new RawJson(told.text)
  } finally {
    clearInterval(timer)
  }
}

/** By the call's own schema, as Fastify sends it. */
const serialised = (reply: FastifyReply, answer: unknown): string => {
  const text = reply.serialize(answer)
  return typeof text === 'string' ? text : Buffer.from(text as ArrayBuffer).toString('utf8')
}

/** What a failed request is answered: mostly its own failure. */
async function instead(keyed: Keyed, error: unknown, request: FastifyRequest): Promise<unknown> {
  try {
    await keyed.fail(error)
    return error
  } catch (failure) {
    request.log.debug({ err: error }, 'A request met its own repeat')
    return failure
  }
}

/** Tells the key of a form that was received; see {@link Keyed.meet}. */
export async function formReceived(fields: Record<string, string>, sha256: string): Promise<void> {
  await currentKey()?.meet(JSON.stringify([sha256, fields]))
}
