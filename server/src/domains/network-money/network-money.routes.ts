import { listNetworkDifferences, listNetworkMoney } from '@karvon/contract/network-money/network-money.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { notFound } from '../../platform/http/errors.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { hasRow } from '../../platform/database/rows.ts'
import { buildMoneyDifferenceList } from './network-money.differences.queries.ts'
import { buildNetworkMoneyList } from './network-money.queries.ts'

/** The calls that compare the money of our accounts at the networks with the leads. */
export function networkMoneyRoutes(app: FastifyInstance, { db, pool, config }: Deps): void {
  serve(app, listNetworkMoney, ({ query }) =>
    answerList(pool, query, buildNetworkMoneyList(query, config.currency)),
  )

  serve(app, listNetworkDifferences, async ({ params: { id }, query }) => {
    if (!(await hasRow(db, 'source_credentials', id))) throw notFound('source credential')
    return answerList(pool, query, buildMoneyDifferenceList(query, id, config.currency))
  })
}
