import {
  listOutgoingPostbacks,
  retryOutgoingPostback,
} from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../kit/deps.ts'
import { answerList, oneRow } from '../kit/lists/lists.answer.ts'
import { RawJson } from '../kit/raw-json.ts'
import { serve } from '../kit/serve.ts'
import { inTransaction } from '../kit/transaction.ts'
import { retryPostback } from './outgoing-postbacks.retry.ts'
import { postbackItem, postbackListText } from './outgoing-postbacks.sql.ts'

export function outgoingPostbacksRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, bell } = deps

  serve(app, listOutgoingPostbacks, ({ query }) =>
    answerList(pool, query, (span) => postbackListText(query, span)),
  )

  serve(app, retryOutgoingPostback, async ({ params, person }) => {
    await inTransaction(db, (trx) => retryPostback(trx, params.id, person))
    bell.emit('outgoing-postbacks')
    const one = `select (${postbackItem})::text as item from outgoing_postbacks o where o.id = $1`
    return new RawJson((await oneRow<{ item: string }>(pool, one, [params.id])).item)
  })
}
