import { CompiledQuery } from 'kysely'
import type { Db } from './pool.ts'

/** Runs a statement that is a text with the parameters $1, $2 and so on, and returns its rows. */
export async function queryRows<Row>(db: Db, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}

type TableWithId = 'courier_accounts' | 'cpa_sources' | 'settlement_acts' | 'source_credentials' | 'users'

/** Whether fewer than `max` rows of a table have an id in a column. */
export async function hasRoom(
  db: Db,
  {
    table,
    column,
  }: { table: 'parcel_notes'; column: 'parcel_id' } | { table: 'settlement_notes'; column: 'difference_id' },
  { id, max }: { id: number; max: number },
): Promise<boolean> {
  const text = `select count(*) < $2 as has_room from ${table} where ${column} = $1`
  const rows = await queryRows<{ has_room: boolean }>(db, text, [id, max])
  return rows[0]?.has_room === true
}

export async function hasRow(db: Db, table: TableWithId, id: number): Promise<boolean> {
  return (await queryRows(db, `select from ${table} where id = $1`, [id])).length > 0
}
