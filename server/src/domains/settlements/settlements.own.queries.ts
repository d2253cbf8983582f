import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type { listOwnSettlementLines, listOwnSettlements } from '@karvon/contract/settlements/settlements.ts'
import type pg from 'pg'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toLikePattern, Where } from '../../resources/lists.where.ts'
import { buildLineOrder, filterActs, ownLineFields } from './settlements.lists.queries.ts'

/** SQL: the line `l` is of a parcel of the person. */
const isOwnSql = (person: string) => `l.removed_at is null
  and exists (select from parcels p where p.id = l.parcel_id and p.owner_id = ${person})`

/** The acts with parcels of a person, with the sums of the person's lines alone. */
export function buildOwnActList(
  query: QueryOf<typeof listOwnSettlements>,
  { personId, currency }: { personId: number; currency: string },
): ListDeclaration {
  const where = new Where().and(
    `a.id in (select l.act_id from parcels p join settlement_lines l on l.parcel_id = p.id
      where l.removed_at is null and p.owner_id = ?)`,
    personId,
  )
  const visible = where.toString()
  filterActs(where, query)
  const columns = { id: 'a.id', number: 'a.number', act_date: 'a.act_date', paid_at: 'a.paid_at' }
  const json = `(select json_build_object('id', a.id, 'number', a.number, 'act_date', a.act_date, 'paid_at', a.paid_at,
      'collected', sum(l.collected), 'fees', sum(l.delivery_fee + l.cash_fee), 'due', sum(l.due),
      'currency', ${where.addParameter(currency)}::text, 'lines', count(*))
    from settlement_lines l where l.act_id = a.id and ${isOwnSql('$1')})`
  return {
    table: 'settlement_acts',
    alias: 'a',
    item: { json },
    where,
    visible,
    order: buildOrderBy({ columns, sort: query.sort, defaultSort: '-act_date', tieBreaker: 'a.id' }),
  }
}

/** The lines of a person's parcels in an act. */
export function buildOwnLineList(
  query: QueryOf<typeof listOwnSettlementLines>,
  { actId, personId }: { actId: number; personId: number },
): ListDeclaration {
  const search = query.search?.trim() || undefined
  const where = new Where().and('l.act_id = ?', actId).and(isOwnSql('?'), personId)
  const visible = where.toString()
  where.and('l.orderno ilike ?', search && toLikePattern(search))
  const order = buildLineOrder(query.sort)
  const json = `json_build_object(${ownLineFields})`
  return { table: 'settlement_lines', alias: 'l', item: { json }, where, visible, order }
}

/** True if an act has a line of a parcel of a person. */
export async function hasOwnLine(pool: pg.Pool, actId: number, personId: number): Promise<boolean> {
  const text = `select from settlement_lines l where l.act_id = $1 and ${isOwnSql('$2')} limit 1`
  return (await pool.query(text, [actId, personId])).rowCount !== 0
}
