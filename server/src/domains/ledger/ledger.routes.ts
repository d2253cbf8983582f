import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { isCurrency } from '@karvon/contract/lib/money.ts'
import { adjustLedger, listLedgerAccounts, listLedgerEntries } from '@karvon/contract/ledger/ledger.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, invalid, notFound } from '../../platform/http/errors.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { parseAccountId } from './ledger.account-id.ts'
import { adjustAccount } from './ledger.adjustments.ts'
import { hasEntries, lockAccountForAdjustment } from './ledger.adjustments.queries.ts'
import { buildAccountList, buildEntryList } from './ledger.queries.ts'

/** The calls with which admins read the ledger and correct an account. */
export function ledgerRoutes(app: FastifyInstance, { db, pool }: Deps): void {
  serve(app, listLedgerAccounts, ({ query }) => answerList(pool, query, buildAccountList(query)))

  serve(app, listLedgerEntries, ({ query }) => answerList(pool, query, buildEntryList(query)))

  serve(app, adjustLedger, ({ body: { account_id, amount, reason }, person }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      if (amount === 0) throw new AppError('amount_is_zero', {}, { fields: ['amount'] })
      const account = parseAccountId(account_id)
      if (!(await lockAccountForAdjustment(trx, account))) throw notFound('account')
      // An account with another currency is older than the check of codes.
      if (!isCurrency(account.currency) && !(await hasEntries(trx, account)))
        throw invalid([fieldError('account_id', 'not_a_currency_code', { label: 'Currency' })])
      const { userId } = person
      const { id, created_at } = await adjustAccount(trx, { account, amount, reason, userId })
      const after = { account_id, amount, reason }
      await audit(trx, { person, action: 'create', resource: 'ledger-adjustments', rowId: id, after })
      return new RawJson(JSON.stringify({ id, ...after, created_at }))
    }),
  )
}
