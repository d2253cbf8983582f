import { adjustLedger, listLedgerAccounts, listLedgerEntries } from '@karvon/contract/ledger/ledger.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import { inTransactionStoringAnswer } from '../../platform/database/transaction.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { hasAccount, insertAdjustment } from './ledger.adjustments.queries.ts'
import { postLedgerEntries } from './ledger.post.queries.ts'
import { buildAccountList, buildEntryList } from './ledger.queries.ts'

/** The calls with which admins read the ledger and correct an account. */
export function ledgerRoutes(app: FastifyInstance, { db, pool }: Deps): void {
  serve(app, listLedgerAccounts, ({ query }) => answerList(pool, query, buildAccountList(query)))

  serve(app, listLedgerEntries, ({ query }) => answerList(pool, query, buildEntryList(query)))

  serve(app, adjustLedger, ({ body, person }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      if (body.amount === 0) throw new AppError('amount_is_zero', {}, { fields: ['amount'] })
      if (!(await hasAccount(trx, body))) throw notFound('account')
      const adjustment = await insertAdjustment(trx, body, person.userId)
      const { id, account_kind, account_id, currency, amount } = adjustment
      await postLedgerEntries(trx, {
        causeKind: 'adjustment',
        causeIds: [id],
        targets: [
          { causeId: id, accountKind: account_kind, accountId: account_id, currency, amount },
          { causeId: id, accountKind: 'adjustments', accountId: 0, currency, amount: -amount },
        ],
      })
      const after = { ...adjustment }
      await audit(trx, { person, action: 'create', resource: 'ledger-adjustments', rowId: id, after })
      return new RawJson(JSON.stringify(adjustment))
    }),
  )
}
