import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxBalanceCurrencies, maxRegistryPayments } from '../lib/limits.ts'
import { StoredCurrency } from '../lib/money.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, Day } from '../lib/schemas.ts'
import { Withdrawal, withdrawalParams, withdrawalsPath } from './payouts.ts'

/**
 * A file of withdrawals for the bank. `payments` and `amount`: their number and sum. `sent`: those that wait for the bank;
 * `paid`, `refused`: those that the bank paid and refused.
 */
export const PaymentRegistry = Type.Object({
  id: Type.Integer(),
  currency: Type.String(),
  payments: Type.Integer(),
  amount: Type.Number(),
  created_by: Named,
  created_at: DateTime,
  sent: Type.Integer(),
  paid: Type.Integer(),
  refused: Type.Integer(),
})
export type PaymentRegistry = Static<typeof PaymentRegistry>

const registriesPath = '/api/admin/payment-registries/'
const registryParams = Type.Object({ id: Id })

/** start_date and end_date are inclusive days of `created_at`. `search` matches the name of a paid person. */
export const listPaymentRegistries = call({
  id: 'payment-registries.list',
  summary: 'List the payment registries',
  method: 'GET',
  path: registriesPath,
  feature: 'payouts',
  guard: 'admin',
  query: listQuery(['id', 'created_at', 'payments', 'amount'], {
    id: Id,
    registry_id: Id,
    created_at: DateTime,
    currency: StoredCurrency,
    start_date: Day,
    end_date: Day,
  }),
  answer: pageSchema(PaymentRegistry),
})

const ApprovedSum = Type.Object({
  currency: Type.String(),
  payments: Type.Integer(),
  amount: Type.Number(),
})

/** The approved withdrawals that no registry has, by currency. */
export const sumApprovedWithdrawals = call({
  id: 'payment-registries.approved',
  summary: 'Read the number and the sum of the approved withdrawals in each currency',
  method: 'GET',
  path: `${registriesPath}approved/`,
  feature: 'payouts',
  guard: 'admin',
  answer: Type.Object({ items: Type.Array(ApprovedSum, { maxItems: maxBalanceCurrencies }) }),
})

/**
 * Marks approved withdrawals in one currency as sent: those of `withdrawal_ids`, or the oldest ones up to the limit. A withdrawal of
 * a person whose balance became too small stays approved. `remaining`: the approved withdrawals in this currency that are not in
 * the registry. 409 if there is none to send, and if one of `withdrawal_ids` cannot be sent.
 */
export const createPaymentRegistry = call({
  id: 'payment-registries.create',
  summary: 'Create a payment registry: approved withdrawals become sent to the bank',
  method: 'POST',
  path: registriesPath,
  feature: 'payouts',
  guard: 'admin',
  status: 201,
  body: Type.Object({
    currency: StoredCurrency,
    withdrawal_ids: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: maxRegistryPayments, uniqueItems: true }),
    ),
  }),
  answer: Type.Object({ ...PaymentRegistry.properties, remaining: Type.Integer() }),
})

const RegistryPayment = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  details: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
})

/**
 * The withdrawals of a registry as they were sent, with the full payment details. `id`: the withdrawal. Each reading is in the audit
 * log. 409 as soon as each of them is paid or refused.
 */
export const listRegistryPayments = call({
  id: 'payment-registries.payments',
  summary: 'Read the withdrawals of a payment registry with their payment details',
  method: 'GET',
  path: `${registriesPath}:id/payments/`,
  writes: true,
  feature: 'payouts',
  guard: 'admin',
  params: registryParams,
  query: listQuery(['id']),
  answer: pageSchema(RegistryPayment),
})

/** A sent withdrawal that the bank refused becomes approved again, so that another registry can have it. 409 unless it is sent. */
export const refuseWithdrawal = call({
  id: 'withdrawals.refuse',
  summary: 'Record that the bank refused a withdrawal',
  method: 'POST',
  path: `${withdrawalsPath}:id/refuse/`,
  feature: 'payouts',
  guard: 'admin',
  params: withdrawalParams,
  answer: Withdrawal,
})

export const paymentRegistryCalls = [
  listPaymentRegistries,
  sumApprovedWithdrawals,
  createPaymentRegistry,
  listRegistryPayments,
  refuseWithdrawal,
]
