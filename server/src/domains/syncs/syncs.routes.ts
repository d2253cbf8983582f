import {
  closeGap,
  listSyncRuns,
  runCourierAccount,
  runSourceCredential,
} from '@karvon/contract/syncs/syncs.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import type { Deps } from '../../platform/deps.ts'
import { notFound } from '../../platform/http/errors.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { accountTables, type AccountColumn } from './syncs.kind.ts'
import { requestRun } from './syncs.lease.queries.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import { hasRow } from '../../platform/database/rows.ts'
import { buildRunList, clearGap } from './syncs.queries.ts'

export function syncsRoutes(app: FastifyInstance, { db, pool, jobTrigger }: Deps): void {
  serve(app, listSyncRuns, ({ query }) => answerList(pool, query, buildRunList(query)))

  const serveRunNow = (call: typeof runSourceCredential, column: AccountColumn, noun: string) =>
    serve(app, call, async ({ params, query, person }) => {
      const { id } = params
      const answer = await inTransactionStoringAnswer(db, async (trx) => {
        if (!(await hasRow(trx, accountTables[column], id))) throw notFound(noun)
        const request = await requestRun(trx, {
          column,
          account: id,
          person: person.userId,
          isFull: query.full,
        })
        return new RawJson(JSON.stringify({ id, ...request }))
      })
      jobTrigger.emit('syncs')
      return answer
    })
  serveRunNow(runSourceCredential, 'source_credential_id', 'source credential')
  serveRunNow(runCourierAccount, 'courier_account_id', 'courier account')

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
