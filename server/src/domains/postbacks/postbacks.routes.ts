import { problemStatus } from '@karvon/contract/lib/problem.ts'
import { listPostbacks, receivePostback, replayPostback } from '@karvon/contract/postbacks/postbacks.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '../../platform/limits/address-key.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError } from '../../platform/http/errors.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { maxPostbacks, maxStrayPostbacks } from '../../platform/limits/limits.ts'
import { Rate } from '../../platform/limits/rate.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { carriedBy, carriedInAddress } from './postbacks.carried.ts'
import { keepHit } from './postbacks.log.ts'
import { readHit } from './postbacks.read.ts'
import { replay } from './postbacks.replay.ts'
import { postbackListText } from './postbacks.queries.ts'
import { judge, judging, type Source, type TakeLead } from './postbacks.take.ts'
import { codeOf, refused, type Verdict } from './postbacks.verdict.ts'

export function postbacksRoutes(app: FastifyInstance, deps: Deps, takeLead: TakeLead): void {
  const { db, pool, config, bell } = deps
  const taking = { takeLead, currency: config.currency }
  const hits = new Rate(maxPostbacks)
  // Under keys that are nobody's: from one address, and in the log from all of them.
  const stray = new Rate(maxStrayPostbacks)
  const strayKept = new Rate(maxStrayPostbacks)

  const sourceOf = async (request: FastifyRequest): Promise<(Source & { received_at: string }) | null> => {
    const { source_key } = request.params as { source_key: string }
    if (!/^[\w-]{1,255}$/.test(source_key)) return null
    const text = `select id, is_active, postback_key, clock_timestamp() as received_at
      from cpa_sources where postback_key = $1`
    const { rows } = await pool.query<Source & { received_at: string }>({
      name: 'postback_source',
      text,
      values: [source_key],
    })
    return rows[0] ?? null
  }

  serve(app, receivePostback, async ({ request, reply }) => {
    // A HEAD asks whether something is there, and says nothing.
    if (request.method === 'HEAD') throw new AppError('method_not_allowed', 'Send it as GET or POST.')
    slowDown(hits.take(addressKey(request.ip)))
    const source = await sourceOf(request)
    if (source === null) {
      slowDown(stray.take(addressKey(request.ip)))
      const verdict = refused('bad_secret', 'No source has this postback key.')
      if (strayKept.take('') === 0) await keepHit(db, request, null, carriedInAddress(request), verdict)
      return answer(reply, verdict, 'not_found')
    }
    const at = source.received_at
    const carried = await carriedBy(request)
    const verdict = await judging(db, async (trx) => {
      const judged = await judge(trx, taking, source, { at, carried, replayed: false })
      await keepHit(trx, request, source, carried, judged)
      return judged
    })
    // A tracker may wait for what the lead came into.
    if (verdict.lead_id !== null) bell.emit('outgoing-postbacks')
    return answer(reply, verdict)
  })

  // A body that cannot be read is refused before the handler sees it, and stands in the log nonetheless.
  app.addHook('onError', async (request, _reply, error) => {
    if (request.routeOptions.config.call !== receivePostback || !isUnreadable(error)) return
    try {
      const source = await sourceOf(request)
      if (source === null || hits.take(addressKey(request.ip)) > 0) return
      const carried = carriedInAddress(request)
      const verdict = refused('malformed', error.message, readHit(carried).told)
      await keepHit(db, request, source, carried, verdict)
    } catch (failure) {
      request.log.warn({ err: failure }, 'Could not log a postback that is malformed')
    }
  })

  serve(app, listPostbacks, ({ query }) => answerList(pool, query, (span) => postbackListText(query, span)))

  serve(app, replayPostback, async ({ params, person }) => {
    const answer = await replay(db, taking, params.id, person)
    bell.emit('outgoing-postbacks')
    return answer
  })
}

function slowDown(seconds: number): void {
  if (seconds === 0) return
  throw new AppError('too_many_requests', `Too many postbacks. Try again in ${seconds} s.`, {
    retryAfter: seconds,
  })
}

const unreadable: ReadonlySet<number | undefined> = new Set([400, 413, 415, 422])
const isUnreadable = (error: Error & { statusCode?: number }) =>
  unreadable.has(error instanceof AppError ? error.status : error.statusCode)

/** What is taken is answered with 200; a refusal is an error like any other, with the outcome beside it. */
function answer(reply: FastifyReply, verdict: Verdict, code = codeOf(verdict.reason)): RawJson {
  const { outcome, lead_id, reason, detail, errors } = verdict
  const told = { outcome, lead_id, reason, detail }
  if (outcome !== 'refused') return new RawJson(JSON.stringify(told))
  void reply.code(problemStatus[code])
  return new RawJson(JSON.stringify({ ...told, code, ...(errors && { errors }) }))
}
