import { maxRequestedDays } from '@karvon/contract/lib/limits.ts'
import {
  closeGap,
  fetchCourierOrders,
  listSyncRuns,
  runCourierAccount,
  runSourceCredential,
} from '@karvon/contract/syncs/syncs.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, notFound } from '../../platform/http/errors.ts'
import { findPeriodProblem } from '../../platform/http/period.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { accountTables } from './syncs.kind.ts'
import { requestRun, type RunRequest } from './syncs.lease.queries.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import { hasRow } from '../../platform/database/rows.ts'
import { buildRunList, clearGap } from './syncs.queries.ts'

const nouns = { source_credentials: 'source credential', courier_accounts: 'courier account' } as const

export function syncsRoutes(app: FastifyInstance, { db, pool, jobTrigger }: Deps): void {
  serve(app, listSyncRuns, ({ query }) => answerList(pool, query, buildRunList(query)))

  const queueRun = async (request: RunRequest) => {
    const table = accountTables[request.column]
    const answer = await inTransactionStoringAnswer(db, async (trx) => {
      if (!(await hasRow(trx, table, request.account))) throw notFound(nouns[table])
      const run = await requestRun(trx, request)
      return new RawJson(JSON.stringify({ id: request.account, ...run }))
    })
    jobTrigger.emit('syncs')
    return answer
  }
  serve(app, runSourceCredential, ({ params: { id }, query, person }) =>
    queueRun({ column: 'source_credential_id', account: id, person: person.userId, isFull: query.full }),
  )
  serve(app, runCourierAccount, ({ params: { id }, person }) =>
    queueRun({ column: 'courier_account_id', account: id, person: person.userId }),
  )
  serve(app, fetchCourierOrders, ({ params: { id }, body, person }) => {
    const problem = findPeriodProblem(body, maxRequestedDays)
    if (problem !== null) throw invalid([problem])
    return queueRun({ column: 'courier_account_id', account: id, person: person.userId, orders: body })
  })

  serve(app, closeGap, ({ params: { id }, person }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      const { rows } = await clearGap(trx, id)
      const [gap] = rows
      if (gap === undefined) throw notFound('source credential')
      if (gap.gap_from !== null)
        await audit(trx, {
          person,
          action: 'close-gap',
          resource: 'source-credentials',
          rowId: id,
          before: { ...gap },
          after: {
            gap_from: null,
            gap_to: null,
          },
        })
      return new RawJson(JSON.stringify({ id }))
    }),
  )
}
