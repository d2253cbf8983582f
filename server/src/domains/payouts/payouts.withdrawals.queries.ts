import {
  openWithdrawalStatuses,
  type listOwnWithdrawals,
  type listWithdrawals,
  type WithdrawalStatus,
} from '@karvon/contract/payouts/payouts.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { Encryption, SecretLocation } from '../../platform/security/encryption.ts'
import { maskPaymentDetails } from '../../platform/security/mask-payment.ts'
import { readItem } from '../../resources/lists.answer.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'

/** The encrypted columns, for the rotation of the key. */
export const encryptedWithdrawals = { table: 'withdrawals', columns: ['details_encrypted'] } as const

export const getDetailsLocation = (id: number): SecretLocation => ({
  table: 'withdrawals',
  row: id,
  column: 'details_encrypted',
})

/** A value of the registry `r` of the withdrawal `w`. */
const ofRegistry = (expression: string) =>
  `(select ${expression} from payment_registries r where r.id = w.registry_id)`

/** The JSON of a withdrawal, from the row `w`. */
const withdrawalItem = `json_build_object('id', w.id, 'user', ${buildNamedJson('users', 'w.user_id')}, 'currency', w.currency,
  'amount', w.amount, 'status', w.status, 'details', w.details, 'requested_at', w.requested_at,
  'decided_by', ${buildNamedJson('users', 'w.decided_by')}, 'decided_at', w.decided_at, 'decline_reason', w.decline_reason,
  'registry_id', w.registry_id, 'sent_by', ${ofRegistry(buildNamedJson('users', 'r.created_by'))}, 'sent_at', ${ofRegistry('r.created_at')},
  'paid_on', w.paid_on, 'reference', w.reference)`

export const readWithdrawal = (trx: Db, id: number) =>
  readItem(trx, `select (${withdrawalItem})::text as item from withdrawals w where w.id = $1`, id)

const sortable = {
  id: 'w.id',
  requested_at: 'w.requested_at',
  amount: 'w.amount',
  status: 'w.status',
  paid_on: 'w.paid_on',
}

const exactColumns = {
  id: 'w.id',
  requested_at: 'w.requested_at',
  decided_at: 'w.decided_at',
  registry_id: 'w.registry_id',
  paid_on: 'w.paid_on',
  details: 'w.details',
  reference: 'w.reference',
  amount: 'w.amount',
  currency: 'w.currency',
}

const withdrawalOrder = (sort: unknown) =>
  buildOrderBy({
    columns: sortable,
    sort,
    defaultSort: '-requested_at',
    tieBreaker: 'w.id',
    notNullKeys: ['id', 'requested_at', 'amount', 'status'],
  })

/** The statuses that a filter finds. */
const toStatuses = (status: QueryOf<typeof listOwnWithdrawals>['status']) =>
  status === 'open' ? [...openWithdrawalStatuses] : status && [status]

/** Adds the filters that both lists of withdrawals have. */
const filterWithdrawals = (where: Where, query: QueryOf<typeof listOwnWithdrawals>): Where =>
  where
    .andEqual(exactColumns, query)
    .and('w.id = ?', query.withdrawal_id)
    .and('w.status = any(?::text[])', toStatuses(query.status))
    .andDays('w.requested_at', query)

export function buildOwnWithdrawalList(
  query: QueryOf<typeof listOwnWithdrawals>,
  userId: number,
): ListDeclaration {
  const where = new Where().and('w.user_id = ?', userId)
  return {
    table: 'withdrawals',
    alias: 'w',
    item: { json: withdrawalItem },
    scopeCondition: where.toString(),
    where: filterWithdrawals(where, query).and(
      `concat_ws(' ', w.details, w.reference, w.decline_reason) ~* ?`,
      toSearchPattern(query.search),
    ),
    order: withdrawalOrder(query.sort),
  }
}

export function buildWithdrawalList(query: QueryOf<typeof listWithdrawals>): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  return {
    table: 'withdrawals',
    alias: 'w',
    item: { json: withdrawalItem },
    where: filterWithdrawals(new Where(), query)
      .and('w.user_id = ?', query.user_id)
      .and('w.user_id in (select id from users where name ~* ?)', pattern),
    order: withdrawalOrder(query.sort),
  }
}

/** Locks a person, so that requests read the balance one after the other. False for an unknown person. */
export async function lockPerson(trx: Db, userId: number): Promise<boolean> {
  const person = trx.selectFrom('users').select('id').where('id', '=', userId)
  return (await person.forNoKeyUpdate().executeTakeFirst()) !== undefined
}

/** Open and paid withdrawals of people, by person and currency, with two decimals. `open`: the number of open ones. */
export async function sumWithdrawals(db: Db, userIds: readonly number[]) {
  const isOpen = sql`status = any(${openWithdrawalStatuses}::text[])`
  const { rows } = await sql<{
    user_id: number
    currency: string
    requested: string
    paid: string
    open: number
  }>`
    select user_id, currency,
      coalesce(sum(amount) filter (where ${isOpen}), 0)::numeric(30, 2)::text as requested,
      coalesce(sum(amount) filter (where status = 'paid'), 0)::numeric(30, 2)::text as paid,
      count(*) filter (where ${isOpen})::integer as open
    from withdrawals where user_id = any(${userIds}::bigint[]) group by user_id, currency`.execute(db)
  return rows
}

/**
 * The minimum of a withdrawal in the installation's currency, by the terms of a person that are valid today; 0 without terms.
 */
export async function readMinimumWithdrawal(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ minimum: number }>`
    select minimum from payout_terms
    where valid_from <= current_date and offer_id is null and (user_id is null or user_id = ${userId})
    order by (user_id is not null) desc, valid_from desc limit 1`.execute(db)
  return rows[0]?.minimum ?? 0
}

export interface WithdrawalRequest {
  userId: number
  currency: string
  amount: number
  details: string
}

export async function insertWithdrawal(
  trx: Db,
  encryption: Encryption,
  { userId, currency, amount, details }: WithdrawalRequest,
): Promise<number> {
  const { id } = await trx
    .insertInto('withdrawals')
    .values({ user_id: userId, currency, amount, details: maskPaymentDetails(details) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const encryptedDetails = encryption.encrypt(details, getDetailsLocation(id))
  await trx
    .updateTable('withdrawals')
    .set({ details_encrypted: encryptedDetails })
    .where('id', '=', id)
    .execute()
  return id
}

/** Locks a withdrawal. Two callers decide one after the other. */
export const lockWithdrawal = (trx: Db, id: number) =>
  trx
    .selectFrom('withdrawals')
    .select(['id', 'user_id', 'currency', 'amount', 'status', 'registry_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export type LockedWithdrawal = NonNullable<Awaited<ReturnType<typeof lockWithdrawal>>>

interface Decision {
  status: WithdrawalStatus
  decidedBy: number
  declineReason?: string | null
  paidOn?: string
  reference?: string | null
  registryId?: null
}

/** Stores a decision. Payment details are kept only until the end of a withdrawal. */
export async function storeDecision(trx: Db, id: number, decision: Decision): Promise<void> {
  const { status, decidedBy, declineReason, paidOn, reference, registryId } = decision
  await trx
    .updateTable('withdrawals')
    .set({
      status,
      decided_by: decidedBy,
      decided_at: sql<string>`now()`,
      ...(declineReason !== undefined && { decline_reason: declineReason }),
      ...(paidOn !== undefined && { paid_on: paidOn }),
      ...(reference !== undefined && { reference }),
      ...(registryId !== undefined && { registry_id: registryId }),
      ...(status !== 'approved' && { details_encrypted: null }),
    })
    .where('id', '=', id)
    .execute()
}
