import { maxBalanceCurrencies, maxRegistryPayments } from '@karvon/contract/lib/limits.ts'
import type {
  createPaymentRegistry,
  listPaymentRegistries,
  listRegistryPayments,
} from '@karvon/contract/payouts/payment-registries.ts'
import type { BodyOf, QueryOf } from '@karvon/contract/lib/call.ts'
import { sql } from 'kysely'
import { dataLocks, lockGroups } from '../../platform/database/lock-keys.ts'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { ExactNumber } from '../../platform/exports/exports.cells.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import type { Encryption, SecretLocation } from '../../platform/security/encryption.ts'
import { readItem } from '../../resources/lists.answer.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'
import { getDetailsLocation } from './payouts.withdrawals.queries.ts'

/** The encrypted columns, for the rotation of the key. */
export const encryptedRegistryPayments = {
  table: 'registry_payments',
  columns: ['details_encrypted'],
} as const

const getPaymentLocation = (id: number): SecretLocation => ({
  table: 'registry_payments',
  row: id,
  column: 'details_encrypted',
})

const countWithdrawals = (status: string) =>
  `(select count(*) from withdrawals w where w.registry_id = r.id and w.status = '${status}')`

/** The fields of a registry, from the row `r`. */
const registryFields = `'id', r.id, 'currency', r.currency, 'payments', r.payments, 'amount', r.amount,
  'created_by', ${buildNamedJson('users', 'r.created_by')}, 'created_at', r.created_at, 'sent', ${countWithdrawals('sent')},
  'paid', ${countWithdrawals('paid')},
  'refused', (select count(*) from registry_payments p where p.registry_id = r.id and p.refused_at is not null)`

/** A new registry, with the number of the approved withdrawals that it does not have. */
export const readNewRegistry = (trx: Db, id: number): Promise<RawJson> =>
  readItem(
    trx,
    `select json_build_object(${registryFields}, 'remaining',
       (select count(*) from withdrawals w where w.status = 'approved' and w.currency = r.currency))::text as item
     from payment_registries r where r.id = $1`,
    id,
  )

const sortable = { id: 'r.id', created_at: 'r.created_at', payments: 'r.payments', amount: 'r.amount' }

export function buildRegistryList(query: QueryOf<typeof listPaymentRegistries>): ListDeclaration {
  return {
    table: 'payment_registries',
    alias: 'r',
    item: { json: `json_build_object(${registryFields})` },
    where: new Where()
      .andEqual({ id: 'r.id', created_at: 'r.created_at', currency: 'r.currency' }, query)
      .and('r.id = ?', query.registry_id)
      .andDays('r.created_at', query)
      .and(
        'r.id in (select registry_id from registry_payments where name ~* ?)',
        toSearchPattern(query.search),
      ),
    order: buildOrderBy({
      columns: sortable,
      sort: query.sort,
      defaultSort: '-created_at',
      tieBreaker: 'r.id',
      notNullKeys: Object.keys(sortable),
    }),
  }
}

/** The payments of a registry as they were sent. Banks take amounts with two decimals. */
export function buildRegistryPaymentList(
  query: QueryOf<typeof listRegistryPayments>,
  registryId: number,
  encryption: Encryption,
): ListDeclaration {
  const where = new Where().and('p.registry_id = ? and p.details_encrypted is not null', registryId)
  const scopeCondition = where.toString()
  return {
    table: 'registry_payments',
    alias: 'p',
    join: 'join payment_registries r on r.id = p.registry_id',
    item: {
      columns:
        'p.withdrawal_id as id, p.name, p.details_encrypted as details, p.amount, r.currency, p.id as payment',
    },
    where: where.and('p.name ~* ?', toSearchPattern(query.search)),
    scopeCondition,
    order: buildOrderBy({
      columns: { id: 'p.withdrawal_id' },
      sort: query.sort,
      defaultSort: 'id',
      tieBreaker: 'p.id',
      notNullKeys: ['id'],
    }),
    transformRow: ({ payment, ...row }) => ({
      ...row,
      amount: new ExactNumber(Number(row.amount).toFixed(2)),
      details: encryption.decrypt(String(row.details), getPaymentLocation(Number(payment))),
    }),
  }
}

/** The number and the sum of the approved withdrawals in each currency. */
export async function sumApproved(db: Db): Promise<RawJson> {
  const rows = await queryRows<{ item: string }>(
    db,
    `select json_build_object('items', coalesce(json_agg(s), '[]'))::text as item from (
       select currency, count(*) as payments, sum(amount) as amount from withdrawals
       where status = 'approved' group by currency order by currency limit $1) s`,
    [maxBalanceCurrencies],
  )
  return new RawJson(rows[0]?.item ?? '')
}

/** Lets one transaction at a time create a registry, so that they lock people one after the other. */
export async function lockRegistries(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockGroups.data}::int, ${dataLocks.paymentRegistries}::int)`.execute(
    trx,
  )
}

export interface SendableWithdrawal {
  id: number
  user_id: number
  name: string
  amount: string
  details_encrypted: string
}

/**
 * Locks approved withdrawals after an id, and their people. Withdrawals that an admin decides at the moment are left out.
 */
export async function lockApproved(
  trx: Db,
  { currency, withdrawal_ids: ids }: BodyOf<typeof createPaymentRegistry>,
  afterId: number,
): Promise<SendableWithdrawal[]> {
  const condition = ids === undefined ? sql`` : sql`and w.id = any(${ids}::bigint[])`
  const { rows } = await sql<SendableWithdrawal>`
    select w.id, w.user_id, u.name, w.amount::text as amount, w.details_encrypted
    from withdrawals w join users u on u.id = w.user_id
    where w.status = 'approved' and w.currency = ${currency} and w.details_encrypted is not null
      and w.id > ${afterId} ${condition}
    order by w.id limit ${maxRegistryPayments} for update of w skip locked`.execute(trx)
  const userIds = rows.map(({ user_id }) => user_id)
  await sql`select from users where id = any(${userIds}::bigint[]) order by id for no key update`.execute(trx)
  return rows
}

/** Stores a registry with copies of the payment details, and marks its withdrawals as sent. Answers its id. */
export async function insertRegistry(
  trx: Db,
  encryption: Encryption,
  registry: { currency: string; createdBy: number; withdrawals: readonly SendableWithdrawal[] },
): Promise<number> {
  const { currency, createdBy, withdrawals } = registry
  const ids = withdrawals.map(({ id }) => id)
  const registries = await sql<{ id: number }>`
    insert into payment_registries (currency, created_by, payments, amount)
    select ${currency}, ${createdBy}, count(*), sum(amount) from withdrawals where id = any(${ids}::bigint[])
    returning id`.execute(trx)
  const registryId = registries.rows[0]?.id
  if (registryId === undefined) throw new Error('The registry was not stored')
  const payments = await sql<{ id: number; withdrawal_id: number }>`
    insert into registry_payments (registry_id, withdrawal_id, name, amount)
    select ${registryId}, id, name, amount
    from unnest(${ids}::bigint[], ${withdrawals.map(({ name }) => name)}::text[],
      ${withdrawals.map(({ amount }) => amount)}::numeric[]) w (id, name, amount)
    order by id returning id, withdrawal_id`.execute(trx)
  const detailsById = new Map(withdrawals.map(({ id, details_encrypted: details }) => [id, details]))
  const copies = payments.rows.map(({ id, withdrawal_id: withdrawalId }) =>
    encryption.encrypt(
      encryption.decrypt(detailsById.get(withdrawalId) ?? '', getDetailsLocation(withdrawalId)),
      getPaymentLocation(id),
    ),
  )
  await sql`
    update registry_payments p set details_encrypted = c.details
    from unnest(${payments.rows.map(({ id }) => id)}::bigint[], ${copies}::text[]) c (id, details)
    where p.id = c.id`.execute(trx)
  await sql`
    update withdrawals set status = 'sent', registry_id = ${registryId} where id = any(${ids}::bigint[])`.execute(
    trx,
  )
  return registryId
}

/** Marks the payment of a withdrawal that the bank refused. */
export async function markRefused(
  trx: Db,
  { registryId, withdrawalId }: { registryId: number; withdrawalId: number },
): Promise<void> {
  await sql`
    update registry_payments set refused_at = now()
    where registry_id = ${registryId} and withdrawal_id = ${withdrawalId}`.execute(trx)
}

/**
 * Removes the payment details of a registry as soon as no withdrawal of it waits for the bank. The lock lets the last two decisions
 * see each other.
 */
export async function removeDetailsIfComplete(trx: Db, registryId: number): Promise<void> {
  await sql`select from payment_registries where id = ${registryId} for no key update`.execute(trx)
  await sql`
    update registry_payments set details_encrypted = null
    where registry_id = ${registryId} and details_encrypted is not null
      and not exists (select from withdrawals where registry_id = ${registryId} and status = 'sent')`.execute(
    trx,
  )
}

/** Whether a registry has withdrawals that wait for the bank; undefined for an unknown registry. */
export async function isWaiting(db: Db, id: number): Promise<boolean | undefined> {
  const { rows } = await sql<{ is_waiting: boolean }>`
    select exists (select from withdrawals where registry_id = ${id} and status = 'sent') as is_waiting
    from payment_registries where id = ${id}`.execute(db)
  return rows[0]?.is_waiting
}
