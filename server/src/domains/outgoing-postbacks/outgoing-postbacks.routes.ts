import {
  listOutgoingPostbacks,
  retryOutgoingPostback,
} from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { answerList, itemOf } from '../../resources/lists.answer.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerTransaction } from '../../platform/database/transaction.ts'
import { retryPostback } from './outgoing-postbacks.retry.ts'
import { postbackItem, postbackListText } from './outgoing-postbacks.queries.ts'

export function outgoingPostbacksRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, bell } = deps

  serve(app, listOutgoingPostbacks, ({ query }) =>
    answerList(pool, query, (span) => postbackListText(query, span)),
  )

  serve(app, retryOutgoingPostback, async ({ params, person }) => {
    const answer = await answerTransaction(db, async (trx) => {
      await retryPostback(trx, params.id, person)
      const one = `select (${postbackItem})::text as item from outgoing_postbacks o where o.id = $1`
      return itemOf(trx, one, params.id)
    })
    bell.emit('outgoing-postbacks')
    return answer
  })
}
