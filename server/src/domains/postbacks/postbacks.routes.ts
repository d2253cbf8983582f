import { problemStatus } from '@karvon/contract/lib/problem.ts'
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
import {
  inPostbackTransaction,
  processPostback,
  reprocessPostback,
  type PostbackSource,
} from './postbacks.process.ts'
import { insertPostback, postbackListText } from './postbacks.queries.ts'
import { buildRefusal, problemCodeOf, type PostbackResult } from './postbacks.result.ts'

type RequestSource = PostbackSource & { received_at: string }

export function postbacksRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config, jobTrigger } = deps
  const postbackLimiter = new RateLimiter(maxPostbacksPerAddress)
  // Requests with a key that no source has: per address, and in the log for all addresses together.
  const unknownKeyLimiter = new RateLimiter(maxUnknownKeyPostbacksPerAddress)
  const unknownKeyLogLimiter = new RateLimiter(maxUnknownKeyPostbacksPerAddress)

  const findSource = async (request: FastifyRequest): Promise<RequestSource | null> => {
    const { source_key } = request.params as { source_key: string }
    if (!/^[\w-]{1,255}$/.test(source_key)) return null
    const text = `select id, is_active, postback_key, clock_timestamp() as received_at
      from cpa_sources where postback_key = $1`
    const { rows } = await pool.query<RequestSource>({
      name: 'postback_source',
      text,
      values: [source_key],
    })
    return rows[0] ?? null
  }

  serve(app, receivePostback, async ({ request, reply }) => {
    // A HEAD request must have no effect, so it cannot report a lead.
    if (request.method === 'HEAD') throw new AppError('method_not_allowed', 'Send it as GET or POST.')
    refuseWhenLimited(postbackLimiter.consume(addressKey(request.ip)))
    const source = await findSource(request)
    if (source === null) {
      refuseWhenLimited(unknownKeyLimiter.consume(addressKey(request.ip)))
      const result = buildRefusal('bad_secret', 'No source has this postback key.')
      if (unknownKeyLogLimiter.consume('') === 0)
        await insertPostback(db, request, null, readQueryParams(request), result)
      return sendResult(reply, result, 'not_found')
    }
    const params = await readParams(request)
    const received = { receivedAt: source.received_at, params, isReplay: false }
    const result = await inPostbackTransaction(db, async (trx) => {
      const processed = await processPostback(trx, config.currency, source, received)
      await insertPostback(trx, request, source, params, processed)
      return processed
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
      const result = buildRefusal('malformed', error.message, parseParams(params).values)
      await insertPostback(db, request, source, params, result)
    } catch (failure) {
      request.log.warn({ err: failure }, 'Could not log a malformed postback')
    }
  })

  serve(app, listPostbacks, ({ query }) => answerList(pool, query, (span) => postbackListText(query, span)))

  serve(app, replayPostback, async ({ params, person }) => {
    const answer = await reprocessPostback(db, config.currency, params.id, person)
    jobTrigger.emit('outgoing-postbacks')
    return answer
  })
}

function refuseWhenLimited(seconds: number): void {
  if (seconds === 0) return
  throw new AppError('too_many_requests', `Too many postbacks. Try again in ${seconds} s.`, {
    retryAfter: seconds,
  })
}

const unreadableStatuses: ReadonlySet<number | undefined> = new Set([400, 413, 415, 422])
const isUnreadable = (error: Error & { statusCode?: number }) =>
  unreadableStatuses.has(error instanceof AppError ? error.status : error.statusCode)

/** Answers 200 to an accepted postback. A refusal is answered as a problem, with the outcome beside it. */
function sendResult(
  reply: FastifyReply,
  result: PostbackResult,
  code = problemCodeOf(result.reason),
): RawJson {
  const { outcome, lead_id, reason, detail, errors } = result
  const answer = { outcome, lead_id, reason, detail }
  if (outcome !== 'refused') return new RawJson(JSON.stringify(answer))
  void reply.code(problemStatus[code])
  return new RawJson(JSON.stringify({ ...answer, code, ...(errors && { errors }) }))
}
