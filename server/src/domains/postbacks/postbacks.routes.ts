import { listPostbacks, receivePostback, replayPostback } from '@karvon/contract/postbacks/postbacks.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '../../platform/limits/address-key.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError } from '../../platform/http/errors.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { maxPostbacksPerAddress, maxUnknownKeyPostbacksPerAddress } from '../../platform/limits/limits.ts'
import { RateLimiter } from '../../platform/limits/rate-limiter.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { parseParams, readParams, readQueryParams } from './postbacks.params.ts'
import { inPostbackTransaction, processPostback } from './postbacks.process.ts'
import {
  buildPostbackList,
  findSourceByKey,
  insertPostback,
  type RequestSource,
} from './postbacks.queries.ts'
import { replayLoggedPostback } from './postbacks.replay.ts'
import { buildRefusal, type PostbackResult } from './postbacks.result.ts'

export function postbacksRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config, jobTrigger } = deps
  const postbackLimiter = new RateLimiter(maxPostbacksPerAddress)
  // Requests with a key that no source has: per address, and in the log for all addresses together.
  const unknownKeyLimiter = new RateLimiter(maxUnknownKeyPostbacksPerAddress)
  const unknownKeyLogLimiter = new RateLimiter(maxUnknownKeyPostbacksPerAddress)

  const findSource = async (request: FastifyRequest): Promise<RequestSource | null> => {
    const { source_key } = request.params as { source_key: string }
    if (!/^[\w-]{1,255}$/.test(source_key)) return null
    return findSourceByKey(pool, source_key)
  }

  serve(app, receivePostback, async ({ request, reply }) => {
    // A HEAD request must have no effect, so it cannot report a lead.
    if (request.method === 'HEAD') {
      void reply.header('allow', 'GET, POST')
      throw new AppError('postback_method')
    }
    refuseWhenLimited(postbackLimiter.consume(addressKey(request.ip)))
    const source = await findSource(request)
    if (source === null) {
      refuseWhenLimited(unknownKeyLimiter.consume(addressKey(request.ip)))
      const result = buildRefusal('bad_secret', new AppError('postback_key_unknown'))
      if (unknownKeyLogLimiter.consume('') === 0)
        await insertPostback(db, { request, source: null, params: readQueryParams(request), result })
      return sendResult(reply, result)
    }
    const params = await readParams(request)
    const postbackRequest = { receivedAt: source.received_at, params, isReplay: false }
    const result = await inPostbackTransaction(db, async (trx) => {
      const outcome = await processPostback(trx, {
        defaultCurrency: config.currency,
        source,
        request: postbackRequest,
      })
      await insertPostback(trx, { request, source, params, result: outcome })
      return outcome
    })
    // The change of the lead may have queued outgoing postbacks.
    if (result.lead_id !== null) jobTrigger.emit('outgoing-postbacks')
    return sendResult(reply, result)
  })

  // The platform refuses an unreadable body before the handler runs. The log contains it nevertheless.
  app.addHook('onError', async (request, _reply, error) => {
    if (request.routeOptions.config.call !== receivePostback || !isUnreadable(error)) return
    try {
      const source = await findSource(request)
      if (source === null || postbackLimiter.consume(addressKey(request.ip)) > 0) return
      const params = readQueryParams(request)
      const result = buildRefusal('malformed', toAppError(error), parseParams(params).values)
      await insertPostback(db, { request, source, params, result })
    } catch (failure) {
      request.log.warn({ err: failure }, 'Could not log a malformed postback')
    }
  })

  serve(app, listPostbacks, ({ query }) => answerList(pool, query, buildPostbackList(query)))

  serve(app, replayPostback, async ({ params, person }) => {
    const answer = await replayLoggedPostback(db, { defaultCurrency: config.currency, id: params.id, person })
    jobTrigger.emit('outgoing-postbacks')
    return answer
  })
}

function refuseWhenLimited(seconds: number): void {
  if (seconds === 0) return
  throw new AppError('too_many_postbacks', { seconds }, { retryAfter: seconds })
}

const toAppError = (error: Error): AppError =>
  error instanceof AppError ? error : new AppError('malformed', { message: error.message })

const unreadableStatuses: ReadonlySet<number | undefined> = new Set([400, 413, 415, 422])
const isUnreadable = (error: Error & { statusCode?: number }) =>
  unreadableStatuses.has(error instanceof AppError ? error.status : error.statusCode)

/** Answers 200 to an accepted postback. A refusal is answered as a problem, with the outcome beside it. */
function sendResult(reply: FastifyReply, result: PostbackResult): RawJson {
  const { outcome, lead_id, reason, detail, error } = result
  if (error !== undefined) void reply.code(error.status)
  return new RawJson(JSON.stringify({ outcome, lead_id, reason, ...error?.problem(), detail }))
}
