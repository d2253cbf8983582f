import { maxBalanceCurrencies } from '@karvon/contract/lib/limits.ts'
import {
  createPayoutTerms,
  deletePayoutTerms,
  listPayoutTerms,
} from '@karvon/contract/payouts/payout-terms.ts'
import {
  approveWithdrawal,
  cancelWithdrawal,
  declineWithdrawal,
  listOwnWithdrawals,
  listWithdrawals,
  ownBalance,
  payWithdrawal,
  requestWithdrawal,
} from '@karvon/contract/payouts/payouts.ts'
import { listOwnEntries } from '@karvon/contract/payouts/statements.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import { readToday } from '../../platform/database/clock.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { buildOwnEntryList } from '../ledger/ledger.queries.ts'
import { hasStoredLeadsOfTerms } from '../ledger/ledger.terms.queries.ts'
import { readBalanceSnapshot } from './payouts.balance.ts'
import { decideAndAnswer } from './payouts.decide.ts'
import { registriesRoutes } from './payouts.registries.routes.ts'
import { createWithdrawal } from './payouts.request.ts'
import { statementsRoutes } from './payouts.statements.routes.ts'
import {
  buildPayoutTermsList,
  deletePayoutTermsRow,
  insertPayoutTerms,
  lockPayoutTerms,
  readPayoutTerms,
} from './payouts.terms.queries.ts'
import { buildOwnWithdrawalList, buildWithdrawalList, readWithdrawal } from './payouts.withdrawals.queries.ts'

/** The calls of payout terms, balances and withdrawals. */
export function payoutsRoutes(app: FastifyInstance, deps: Deps): void {
  termsRoutes(app, deps)
  ownRoutes(app, deps)
  withdrawalRoutes(app, deps)
  registriesRoutes(app, deps)
  statementsRoutes(app, deps)
}

function termsRoutes(app: FastifyInstance, { db, pool }: Deps): void {
  serve(app, listPayoutTerms, ({ query }) => answerList(pool, query, buildPayoutTermsList(query)))

  serve(app, createPayoutTerms, ({ body, person }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      if (((body.share ?? null) === null) === ((body.fixed ?? null) === null))
        throw new AppError('share_or_fixed', {}, { fields: ['share', 'fixed'] })
      if ((body.currency ?? null) !== null && (body.fixed ?? null) === null)
        throw new AppError('currency_without_fixed', {}, { fields: ['currency'] })
      if (await hasStoredLeadsOfTerms(trx, { user_id: null, offer_id: null, ...body }))
        throw new AppError('terms_start_too_early', {}, { fields: ['valid_from'] })
      const id = await insertPayoutTerms(trx, body, person.userId)
      const after = { ...body }
      await audit(trx, { person, action: 'create', resource: 'payout-terms', rowId: id, after })
      return readPayoutTerms(trx, id)
    }),
  )

  serve(app, deletePayoutTerms, async ({ params: { id }, person }) => {
    await inTransaction(db, async (trx) => {
      const terms = await lockPayoutTerms(trx, id)
      if (terms === undefined) throw notFound('payout terms')
      if (await hasStoredLeadsOfTerms(trx, terms)) throw new AppError('terms_valid_already')
      await deletePayoutTermsRow(trx, id)
      await audit(trx, {
        person,
        action: 'delete',
        resource: 'payout-terms',
        rowId: id,
        before: { ...terms },
      })
    })
    return { id }
  })
}

const noBalance = { earned: 0, on_hold: 0, available: 0, requested: 0, paid: 0, minimum: 0 }

function ownRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config } = deps

  serve(app, ownBalance, async ({ person }) => {
    const { userId } = person
    const balances = await readBalanceSnapshot(db, { userId, mainCurrency: config.currency })
    const main = balances.find(({ currency }) => currency === config.currency)
    const otherBalances = balances.filter((balance) => balance !== main).slice(0, maxBalanceCurrencies)
    return { ...(main ?? { ...noBalance, currency: config.currency }), others: otherBalances }
  })

  serve(app, listOwnEntries, ({ query, person }) =>
    answerList(
      pool,
      query,
      buildOwnEntryList(query, { userId: person.userId, viewer: person.isAdmin ? null : person }),
    ),
  )

  serve(app, listOwnWithdrawals, ({ query, person }) =>
    answerList(pool, query, buildOwnWithdrawalList(query, person.userId)),
  )

  serve(app, requestWithdrawal, ({ body, person: { userId } }) =>
    inTransactionStoringAnswer(db, async (trx) =>
      readWithdrawal(trx, await createWithdrawal(trx, deps, { currency: config.currency, ...body, userId })),
    ),
  )

  serve(app, cancelWithdrawal, ({ params: { id }, person: { userId } }) =>
    decideAndAnswer(db, { action: 'cancel', id, userId, mustBeOwner: true }),
  )
}

function withdrawalRoutes(app: FastifyInstance, { db, pool }: Deps): void {
  serve(app, listWithdrawals, ({ query }) => answerList(pool, query, buildWithdrawalList(query)))

  serve(app, approveWithdrawal, ({ params: { id }, person: { userId } }) =>
    decideAndAnswer(db, { action: 'approve', id, userId }),
  )

  serve(app, declineWithdrawal, ({ params: { id }, body, person: { userId } }) =>
    decideAndAnswer(db, { action: 'decline', id, userId, reason: body.reason ?? null }),
  )

  serve(app, payWithdrawal, async ({ params: { id }, body, person: { userId } }) => {
    const paidOn = body.paid_on ?? (await readToday(db))
    return decideAndAnswer(db, { action: 'pay', id, userId, paidOn, reference: body.reference ?? null })
  })
}
