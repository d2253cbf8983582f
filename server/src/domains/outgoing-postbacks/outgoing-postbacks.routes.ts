import {
  listOutgoingPostbacks,
  retryOutgoingPostback,
} from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { serve } from '../../platform/http/serve.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import { retryPostback } from './outgoing-postbacks.retry.ts'
import { buildOutgoingPostbackList, readOutgoingPostback } from './outgoing-postbacks.queries.ts'

export function outgoingPostbacksRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, jobTrigger } = deps

  serve(app, listOutgoingPostbacks, ({ query }) => answerList(pool, query, buildOutgoingPostbackList(query)))

  serve(app, retryOutgoingPostback, async ({ params, person }) => {
    const answer = await inTransactionStoringAnswer(db, async (trx) => {
      await retryPostback(trx, params.id, person)
      return readOutgoingPostback(trx, params.id)
    })
    jobTrigger.emit('outgoing-postbacks')
    return answer
  })
}
