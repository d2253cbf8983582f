import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/http/errors.ts'
import { findReportedParcel, lockAccountParcels } from '../parcels/parcels.accounts.queries.ts'
import type { ActAccount, ActInput, ChangedLine, NumberedLine } from './settlements.types.ts'

/** The SQL types of the values of a line. */
const lineTypes = {
  orderno: 'text',
  occurrence: 'int',
  code: 'text',
  order_date: 'date',
  delivered_date: 'date',
  company: 'text',
  collected: 'numeric',
  fee: 'numeric',
  delivery_fee: 'numeric',
  cash_fee: 'numeric',
  due: 'numeric',
  declared_value: 'numeric',
  weight: 'numeric',
  pay_type: 'text',
  status_title: 'text',
} as const satisfies Record<keyof NumberedLine, string>
const lineKeys = Object.keys(lineTypes) as (keyof typeof lineTypes)[]

/** Details that an act without them keeps. */
const details = [
  'code',
  'order_date',
  'delivered_date',
  'company',
  'declared_value',
  'weight',
  'pay_type',
  'status_title',
] as const
/** What an act always decides. */
const figures = ['collected', 'delivery_fee', 'cash_fee', 'due'] as const

/** A courier account and its present user. */
export interface LockedAccount {
  account: number
  owner: number
}

/** Locks an account and its parcels, so that one transaction at a time stores its acts. Errors: 404. */
export async function lockAccount(trx: Db, accountId: number): Promise<LockedAccount> {
  await lockAccountParcels(trx, accountId)
  const { rows } = await sql<{ user_id: number }>`
    select user_id from courier_accounts where id = ${accountId} for no key update`.execute(trx)
  if (rows[0] === undefined) throw notFound('courier account')
  return { account: accountId, owner: rows[0].user_id }
}

export async function findAct(
  trx: Db,
  accountId: number,
  { code, number, act_date }: ActInput,
): Promise<{ id: number; act_date: string; content_hash: string } | undefined> {
  const { rows } = await sql<{ id: number; act_date: string; content_hash: string }>`
    select id, act_date, content_hash from settlement_acts
    where courier_account_id = ${accountId} and (code = ${code}::text
      or (number = ${number} and act_date = ${act_date}::date and (code is null or ${code}::text is null)))
    order by code is not distinct from ${code}::text desc, id limit 1`.execute(trx)
  return rows[0]
}

/** Inserts an act without its sums. {@link updateAct} completes it. */
export async function insertAct(
  trx: Db,
  { accountId, currency }: ActAccount,
  act: ActInput,
): Promise<number> {
  const { code, number, act_date } = act
  const { id } = await trx
    .insertInto('settlement_acts')
    .values({ courier_account_id: accountId, currency, code, number, act_date, content_hash: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Stores an act after its lines. A voided act that still has lines is left to the job that compares acts. */
export async function updateAct(
  trx: Db,
  id: number,
  { act, contentHash }: { act: ActInput; contentHash: string },
): Promise<void> {
  const isFile = act.origin === 'file'
  const isVoided = act.origin === 'admin'
  await sql`
    update settlement_acts a set code = coalesce(${act.code}, a.code), number = ${act.number}, act_date = ${act.act_date},
      paid_at = coalesce(${act.paid_at}::date, case when ${isFile} then a.paid_at end),
      collected = coalesce(${act.collected}::numeric, s.collected), fees = coalesce(${act.fees}::numeric, s.fees),
      correction = coalesce(${act.correction}::numeric, case when ${isFile} then a.correction end, 0),
      pay_type = coalesce(${act.pay_type}, a.pay_type),
      has_signed_copy = coalesce(${act.has_signed_copy}::boolean, a.has_signed_copy),
      content_hash = ${contentHash}, header_hash = ${act.header_hash},
      checked_at = case when ${isVoided} and s.has_lines then null else now() end,
      voided_at = case when ${isVoided} then coalesce(a.voided_at, now()) end, updated_at = now()
    from (
      select coalesce(sum(collected), 0) as collected, coalesce(sum(delivery_fee + cash_fee), 0) as fees,
        count(*) > 0 as has_lines
      from settlement_lines where act_id = ${id} and removed_at is null
    ) s where a.id = ${id}`.execute(trx)
}

const listColumns = (names: readonly string[], from?: string) =>
  sql.raw(names.map((name) => (from === undefined ? name : `${from}.${name}`)).join(', '))

const inputSql = (lines: readonly NumberedLine[]): RawBuilder<unknown> => sql`
  select * from unnest(${sql.join(
    lineKeys.map((key) => sql`${lines.map((line) => line[key])}::${sql.raw(lineTypes[key])}[]`),
  )}) as t (${listColumns(lineKeys)})`

/**
 * Inserts the lines of an act, matched with the parcels of its account, and updates those that changed. A line keeps its
 * parcel, and so its money an owner, when the account gets another user. A missing fee is the rest of the others, a missing
 * due is the collected amount less the fees. Answers the lines that changed.
 */
export async function upsertLines(
  trx: Db,
  { actId, account }: { actId: number; account: LockedAccount },
  lines: readonly NumberedLine[],
): Promise<(ChangedLine & { is_new: boolean })[]> {
  const columns = [...details, 'parcel_id', ...figures]
  const keptValues = details.map((name) => `coalesce(excluded.${name}, l.${name})`)
  const parcel = 'coalesce(l.parcel_id, excluded.parcel_id)'
  const values = sql.raw([...keptValues, parcel, ...figures.map((name) => `excluded.${name}`)].join(', '))
  const { rows } = await sql<ChangedLine & { is_new: boolean }>`
    with input as materialized (${inputSql(lines)}),
    priced as (
      select i.*, coalesce(i.collected, 0) as amount,
        coalesce(i.delivery_fee, i.fee - i.cash_fee, i.fee, 0) as delivery,
        coalesce(i.cash_fee, i.fee - i.delivery_fee, 0) as cash
      from input i
    )
    insert into settlement_lines as l (act_id, orderno, occurrence, ${listColumns(columns)})
    select ${actId}::bigint, i.orderno, i.occurrence, ${listColumns(details, 'i')},
      ${findReportedParcel({ ...account, orderno: sql.ref('i.orderno') })},
      i.amount, i.delivery, i.cash, coalesce(i.due, i.amount - i.delivery - i.cash)
    from priced i
    order by i.orderno, i.occurrence
    on conflict (act_id, orderno, occurrence) do update
      set (${listColumns(columns)}) = (${values}), removed_at = null, updated_at = now()
      where l.removed_at is not null or (${listColumns(columns, 'l')}) is distinct from (${values})
    returning l.id, l.parcel_id, l.created_at = now() as is_new`.execute(trx)
  return rows
}

/** A stored line of an act, with what names it there. */
export interface StoredLine extends ChangedLine {
  orderno: string
  occurrence: number
  is_removed: boolean
}

/** All lines of an act. */
export async function readStoredLines(trx: Db, actId: number): Promise<StoredLine[]> {
  const { rows } = await sql<StoredLine>`
    select id, parcel_id, orderno, occurrence, removed_at is not null as is_removed
    from settlement_lines where act_id = ${actId} order by id`.execute(trx)
  return rows
}

/** The ids of all lines of an act. */
export async function readLineIds(trx: Db, actId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from settlement_lines where act_id = ${actId} order by id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** The place of a line in its act. */
export type NextLine = Pick<StoredLine, 'orderno' | 'occurrence'>

/** The lines of an act that are not removed, after a place. In the order in which all writers lock parcels. */
export async function readNextLines(
  trx: Db,
  actId: number,
  { after, limit }: { after: NextLine | undefined; limit: number },
): Promise<(ChangedLine & NextLine)[]> {
  const condition =
    after === undefined ? sql`` : sql`and (orderno, occurrence) > (${after.orderno}, ${after.occurrence})`
  const { rows } = await sql<ChangedLine & NextLine>`
    select id, parcel_id, orderno, occurrence from settlement_lines
    where act_id = ${actId} and removed_at is null ${condition}
    order by orderno, occurrence limit ${limit}`.execute(trx)
  return rows
}

/** `lines` and those of parcels in any act. */
export async function addLinesOfParcels(
  trx: Db,
  lines: readonly number[],
  parcels: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${lines}::bigint[]) as line (id)
    union select id from settlement_lines where parcel_id = any(${parcels}::bigint[]) order by id`.execute(
    trx,
  )
  return rows.map(({ id }) => id)
}

/** Marks lines that an act no longer has. */
export async function removeLines(trx: Db, lines: readonly number[]): Promise<void> {
  await sql`
    update settlement_lines set removed_at = now(), updated_at = now() where id = any(${lines}::bigint[])`.execute(
    trx,
  )
}

/** Matches the lines of an act that have no parcel with the parcels of its account. Answers the lines that have one now. */
export async function matchLines(trx: Db, actId: number, account: LockedAccount): Promise<ChangedLine[]> {
  const { rows } = await sql<ChangedLine>`
    with matched as materialized (
      select l.id, ${findReportedParcel({ ...account, orderno: sql.ref('l.orderno') })} as parcel_id
      from settlement_lines l where l.act_id = ${actId} and l.removed_at is null and l.parcel_id is null
    )
    update settlement_lines l set parcel_id = m.parcel_id, updated_at = now()
    from matched m where l.id = m.id and m.parcel_id is not null
    returning l.id, l.parcel_id`.execute(trx)
  return rows
}

/** Locks parcels. All writers lock parcels in this order. */
export async function lockParcels(trx: Db, parcels: readonly number[]): Promise<void> {
  await sql`select from parcels where id = any(${parcels}::bigint[])
    order by owner_id, orderno for no key update`.execute(trx)
}

/** Sets `settled_at` of locked parcels to the day of their first act. */
export async function settleParcels(trx: Db, parcels: readonly number[]): Promise<void> {
  await sql`
    with settled as materialized (
      select k.id, (
        select min((select a.act_date from settlement_acts a where a.id = l.act_id)) from settlement_lines l
        where l.parcel_id = k.id and l.removed_at is null)::timestamptz as settled_at
      from unnest(${parcels}::bigint[]) k (id)
    )
    update parcels p set settled_at = s.settled_at from settled s
    where p.id = s.id and p.settled_at is distinct from s.settled_at`.execute(trx)
}

/** What a stored act is found by. */
export interface ActKey {
  id: number
  courier_account_id: number
  code: string | null
  number: string
  act_date: string
  voided_at: string | null
  unlisted_at: string | null
}

const selectActKey = (trx: Db, id: number) =>
  trx
    .selectFrom('settlement_acts')
    .select(['id', 'courier_account_id', 'code', 'number', 'act_date', 'voided_at', 'unlisted_at'])
    .where('id', '=', id)

export const readActKey = (trx: Db, id: number): Promise<ActKey | undefined> =>
  selectActKey(trx, id).executeTakeFirst()

/** Locks an act of a locked account, so that a change of a tariff marks it after this transaction. */
export const lockAct = (trx: Db, id: number): Promise<ActKey | undefined> =>
  selectActKey(trx, id).forNoKeyUpdate().executeTakeFirst()

export async function markChecked(trx: Db, actId: number): Promise<void> {
  await sql`update settlement_acts set checked_at = now() where id = ${actId}`.execute(trx)
}
