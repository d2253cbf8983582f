import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type {
  listOwnSettlementLines,
  listSettlementLines,
  listSettlements,
} from '@karvon/contract/settlements/settlements.ts'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'

/** SQL: a sum over the lines of the act `a`. */
const buildLineSum = (sum: string) =>
  `(select ${sum} from settlement_lines l where l.act_id = a.id and l.removed_at is null)`

/** SQL: a sum over the open differences of the act `a`. */
const buildDifferenceSum = (sum: string) => `(select ${sum} from settlement_lines l
  join settlement_differences d on d.line_id = l.id and d.status = 'open' where l.act_id = a.id)`

/** The JSON of an act, from the row `a`. */
const actJson = `json_build_object('id', a.id, 'number', a.number, 'act_date', a.act_date,
  'paid_at', a.paid_at, 'collected', a.collected, 'fees', a.fees, 'due', a.due, 'currency', a.currency,
  'lines', ${buildLineSum('count(*)')}, 'code', a.code, 'courier_account_id', a.courier_account_id,
  'courier_account', ${buildNamedJson('courier_accounts', 'a.courier_account_id')},
  'correction', a.correction, 'paid', case when a.paid_at is null then 0 else a.due end,
  'difference', a.due - ${buildLineSum('coalesce(sum(l.due), 0)')} + ${buildDifferenceSum('coalesce(sum(d.difference), 0)')},
  'differences', ${buildDifferenceSum('count(*)')}, 'pay_type', a.pay_type, 'has_signed_copy', a.has_signed_copy, 'voided_at', a.voided_at,
  'unlisted_at', a.unlisted_at,
  'created_at', a.created_at, 'updated_at', a.updated_at)`

type ActQuery = QueryOf<typeof listSettlements>

/** The filters of acts that every list of them has. */
export function filterActs(
  where: Where,
  query: Pick<
    ActQuery,
    'id' | 'number' | 'act_date' | 'paid_at' | 'start_date' | 'end_date' | 'is_paid' | 'search'
  >,
): Where {
  return where
    .andEqual({ id: 'a.id', number: 'a.number', act_date: 'a.act_date', paid_at: 'a.paid_at' }, query)
    .and('a.act_date >= ?', query.start_date)
    .and('a.act_date <= ?', query.end_date)
    .and('a.voided_at is null and (a.paid_at is not null) = ?', query.is_paid)
    .and('a.number ~* ?', toSearchPattern(query.search))
}

/** The list of acts, by default the newest first. */
export function buildActList(query: ActQuery): ListDeclaration {
  const where = filterActs(new Where(), query)
    .andEqual(
      {
        collected: 'a.collected',
        fees: 'a.fees',
        due: 'a.due',
        correction: 'a.correction',
        lines: buildLineSum('count(*)'),
        code: 'a.code',
        pay_type: 'a.pay_type',
        has_signed_copy: 'a.has_signed_copy',
        voided_at: 'a.voided_at',
        unlisted_at: 'a.unlisted_at',
        created_at: 'a.created_at',
        updated_at: 'a.updated_at',
        courier_account_id: 'a.courier_account_id',
      },
      query,
    )
    .and(`exists ${buildDifferenceSum('1')} = ?`, query.has_differences)
    .and('(a.unlisted_at is not null and a.voided_at is null) = ?', query.is_unlisted)
  const columns = {
    id: 'a.id',
    number: 'a.number',
    act_date: 'a.act_date',
    paid_at: 'a.paid_at',
    collected: 'a.collected',
    fees: 'a.fees',
    due: 'a.due',
    courier_account_id: 'a.courier_account_id',
  }
  const order = buildOrderBy({ columns, sort: query.sort, defaultSort: '-act_date', tieBreaker: 'a.id' })
  return { table: 'settlement_acts', alias: 'a', item: { json: actJson }, where, order }
}

/** Reads an act as JSON text; null if there is none. */
export async function readAct(db: Db, id: number): Promise<string | null> {
  const text = `select ${actJson}::text as row from settlement_acts a where a.id = $1`
  const rows = await queryRows<{ row: string }>(db, text, [id])
  return rows[0]?.row ?? null
}

const lineFee = '(l.delivery_fee + l.cash_fee)'

/** The fields of a line that its owner may see, from the row `l`. */
export const ownLineFields = `'id', l.id, 'orderno', l.orderno, 'parcel_id', l.parcel_id, 'order_date', l.order_date,
  'delivered_date', l.delivered_date, 'collected', l.collected, 'delivery_fee', l.delivery_fee, 'cash_fee', l.cash_fee,
  'fee', ${lineFee}, 'due', l.due, 'pay_type', l.pay_type, 'status_title', l.status_title`

const lineJson = `json_build_object(${ownLineFields}, 'code', l.code, 'company', l.company,
  'declared_value', l.declared_value, 'weight', l.weight, 'differences', (
    select coalesce(json_agg(d.kind order by d.kind), '[]') from settlement_differences d
    where d.line_id = l.id and d.status = 'open'))`

const lineColumns = {
  id: 'l.id',
  orderno: 'l.orderno',
  parcel_id: 'l.parcel_id',
  delivered_date: 'l.delivered_date',
  collected: 'l.collected',
  fee: lineFee,
  due: 'l.due',
}

/** `order by` of a list of lines, by default in the order in which they were stored. */
export const buildLineOrder = (sort: string | undefined): string =>
  buildOrderBy({
    columns: lineColumns,
    sort,
    defaultSort: 'id',
    tieBreaker: 'l.id',
  })

/** Adds the filters that every list of lines has. */
export const filterLines = (where: Where, query: QueryOf<typeof listOwnSettlementLines>): Where =>
  where
    .andEqual(
      {
        ...lineColumns,
        order_date: 'l.order_date',
        delivery_fee: 'l.delivery_fee',
        cash_fee: 'l.cash_fee',
      },
      query,
    )
    .and('l.orderno ~* ?', toSearchPattern(query.search))

/** The lines of an act. */
export function buildLineList(actId: number, query: QueryOf<typeof listSettlementLines>): ListDeclaration {
  const where = new Where().and('l.act_id = ?', actId).and('l.removed_at is null')
  const scopeCondition = where.toString()
  filterLines(where, query).and(
    `exists (select from settlement_differences d where d.line_id = l.id and d.status = 'open' and d.kind = ?)`,
    query.kind,
  )
  const order = buildLineOrder(query.sort)
  return {
    table: 'settlement_lines',
    alias: 'l',
    item: { json: lineJson },
    where,
    scopeCondition,
    order,
  }
}
