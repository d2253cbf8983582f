import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type { listOwnSettlementLines, listOwnSettlements } from '@karvon/contract/settlements/settlements.ts'
import type pg from 'pg'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import { buildLineOrder, filterActs, filterLines, ownLineFields } from './settlements.lists.queries.ts'

/** SQL: the line `l` is of a parcel of the person. */
const isOwnSql = (person: string) => `l.removed_at is null
  and exists (select from parcels p where p.id = l.parcel_id and p.owner_id = ${person})`

/** SQL of the JSON of an act `a`, with the sums of a person's own lines. The person is `$1`. */
const ownActJson = `(select json_build_object('id', a.id, 'number', a.number, 'act_date', a.act_date,
      'paid_at', a.paid_at, 'collected', sum(l.collected), 'fees', sum(l.delivery_fee + l.cash_fee), 'due', sum(l.due),
      'currency', a.currency, 'lines', count(*))
    from settlement_lines l where l.act_id = a.id and ${isOwnSql('$1')})`

/** The acts with parcels of a person, with only the sums of the person's lines. */
export function buildOwnActList(
  query: QueryOf<typeof listOwnSettlements>,
  personId: number,
): ListDeclaration {
  const where = new Where().and(
    `a.id in (select l.act_id from parcels p join settlement_lines l on l.parcel_id = p.id
      where l.removed_at is null and p.owner_id = ?)`,
    personId,
  )
  const scopeCondition = where.toString()
  filterActs(where, query)
  const columns = { id: 'a.id', number: 'a.number', act_date: 'a.act_date', paid_at: 'a.paid_at' }
  return {
    table: 'settlement_acts',
    alias: 'a',
    item: { json: ownActJson },
    where,
    scopeCondition,
    order: buildOrderBy({ columns, sort: query.sort, defaultSort: '-act_date', tieBreaker: 'a.id' }),
  }
}

/** The JSON of an act with parcels of a person; null for any other act. */
export async function readOwnAct(pool: pg.Pool, id: number, personId: number): Promise<string | null> {
  const { rows } = await pool.query<{ row: string }>({
    name: 'own-settlement-act',
    text: `select ${ownActJson}::text as row from settlement_acts a
      where a.id = $2 and exists (select from settlement_lines l where l.act_id = a.id and ${isOwnSql('$1')})`,
    values: [personId, id],
  })
  return rows[0]?.row ?? null
}

/** The lines of a person's parcels in an act. */
export function buildOwnLineList(
  query: QueryOf<typeof listOwnSettlementLines>,
  { actId, personId }: { actId: number; personId: number },
): ListDeclaration {
  const where = new Where().and('l.act_id = ?', actId).and(isOwnSql('?'), personId)
  const scopeCondition = where.toString()
  filterLines(where, query)
  const order = buildLineOrder(query.sort)
  const json = `json_build_object(${ownLineFields})`
  return {
    table: 'settlement_lines',
    alias: 'l',
    item: { json },
    where,
    scopeCondition,
    order,
  }
}

/** True if an act has a line of a parcel of a person. */
export async function hasOwnLine(pool: pg.Pool, actId: number, personId: number): Promise<boolean> {
  const text = `select from settlement_lines l where l.act_id = $1 and ${isOwnSql('$2')} limit 1`
  return (await pool.query(text, [actId, personId])).rowCount !== 0
}
