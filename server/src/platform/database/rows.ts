import { CompiledQuery } from 'kysely'
import type { Db } from './pool.ts'

/** Runs a statement that is a text with the parameters $1, $2 and so on, and returns its rows. */
export async function queryRows<Row>(db: Db, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}

type TableWithId = 'courier_accounts' | 'cpa_sources' | 'settlement_acts' | 'source_credentials' | 'users'

export async function hasRow(db: Db, table: TableWithId, id: number): Promise<boolean> {
  return (await queryRows(db, `select from ${table} where id = $1`, [id])).length > 0
}
