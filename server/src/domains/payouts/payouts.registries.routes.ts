import {
  createPaymentRegistry,
  listPaymentRegistries,
  listRegistryPayments,
  refuseWithdrawal,
  sumApprovedWithdrawals,
} from '@karvon/contract/payouts/payment-registries.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { decideAndAnswer } from './payouts.decide.ts'
import {
  buildRegistryList,
  buildRegistryPaymentList,
  isWaiting,
  readNewRegistry,
  sumApproved,
} from './payouts.registries.queries.ts'
import { createRegistry } from './payouts.registries.ts'

/** The calls with which admins send withdrawals to the bank. */
export function registriesRoutes(app: FastifyInstance, { db, pool, encryption }: Deps): void {
  serve(app, listPaymentRegistries, ({ query }) => answerList(pool, query, buildRegistryList(query)))

  serve(app, sumApprovedWithdrawals, () => sumApproved(db))

  serve(app, createPaymentRegistry, ({ body, person: { userId } }) =>
    inTransactionStoringAnswer(db, async (trx) =>
      readNewRegistry(trx, await createRegistry(trx, encryption, { selection: body, userId })),
    ),
  )

  serve(app, listRegistryPayments, async ({ params: { id }, query, person }) => {
    await inTransaction(db, async (trx) => {
      const isRegistryWaiting = await isWaiting(trx, id)
      if (isRegistryWaiting === undefined) throw notFound('payment registry')
      if (!isRegistryWaiting) throw new AppError('registry_complete')
      await audit(trx, { person, action: 'download', resource: 'payment-registries', rowId: id })
    })
    return answerList(pool, query, buildRegistryPaymentList(query, id, encryption))
  })

  serve(app, refuseWithdrawal, ({ params: { id }, person: { userId } }) =>
    decideAndAnswer(db, { action: 'refuse', id, userId }),
  )
}
