import {
  closeStatement,
  listOwnStatementEntries,
  listOwnStatements,
  listStatementEntries,
  listStatements,
} from '@karvon/contract/payouts/statements.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import { checkPeriodOrder } from '../../platform/http/period.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { buildOwnEntryList } from '../ledger/ledger.queries.ts'
import {
  buildOwnStatementList,
  buildStatementList,
  findOverlap,
  findStatementOwner,
  insertStatement,
  isDayOver,
  readStatement,
} from './payouts.statements.queries.ts'
import { lockPerson } from './payouts.withdrawals.queries.ts'

/** The calls with which admins close periods, and people read their own. */
export function statementsRoutes(app: FastifyInstance, { db, pool }: Deps): void {
  serve(app, listStatements, ({ query }) => answerList(pool, query, buildStatementList(query)))

  serve(app, closeStatement, ({ body, person }) => {
    checkPeriodOrder(body)
    return inTransactionStoringAnswer(db, async (trx) => {
      if (!(await isDayOver(trx, body.end_date)))
        throw new AppError('period_not_over', {}, { fields: ['end_date'] })
      if (!(await lockPerson(trx, body.user_id))) throw notFound('user')
      const overlap = await findOverlap(trx, body)
      if (overlap !== undefined)
        throw new AppError(
          'statement_overlaps',
          { start: overlap.start_date, end: overlap.end_date },
          { fields: ['start_date'] },
        )
      const id = await insertStatement(trx, body, person.userId)
      await audit(trx, { person, action: 'close', resource: 'statements', rowId: id, after: { ...body } })
      return readStatement(trx, id)
    })
  })

  serve(app, listStatementEntries, async ({ params: { id }, query }) => {
    const userId = await findStatementOwner(db, id)
    if (userId === undefined) throw notFound('statement')
    return answerList(
      pool,
      query,
      buildOwnEntryList({ ...query, statement_id: id }, { userId, viewer: null }),
    )
  })

  serve(app, listOwnStatements, ({ query, person }) =>
    answerList(pool, query, buildOwnStatementList(query, person.userId)),
  )

  serve(app, listOwnStatementEntries, async ({ params: { id }, query, person }) => {
    if ((await findStatementOwner(db, id)) !== person.userId) throw notFound('statement')
    return answerList(
      pool,
      query,
      buildOwnEntryList(
        { ...query, statement_id: id },
        { userId: person.userId, viewer: person.isAdmin ? null : person },
      ),
    )
  })
}
