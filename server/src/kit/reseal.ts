import { writable, type Resource } from '@karvon/contract/kit/resource.ts'
import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { tableOf } from './pg-errors.ts'
import type { Seal } from './seal.ts'

const batch = 200

/**
 * Seals whatever an older key sealed with the one that seals now, row by row, while the product works; answers
 * how many values that were. A value that cannot be opened throws, and leaves everything as it was from there on.
 */
export async function reseal(db: Db, seal: Seal, resources: readonly Resource[]): Promise<number> {
  let changed = 0
  for (const resource of resources) {
    const columns = writable(resource.fields).flatMap(([key, { kind }]) => (kind === 'secret' ? [key] : []))
    if (columns.length > 0) changed += await resealTable(db, seal, tableOf(resource), columns)
  }
  return changed
}

async function resealTable(db: Db, seal: Seal, table: string, columns: readonly string[]): Promise<number> {
  let changed = 0
  for (let after = 0; ;) {
    const done = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<Record<string, string | null> & { id: number }>`
        select id, ${sql.join(columns.map((each) => sql.ref(each)))} from ${sql.table(table)}
        where id > ${after} order by id limit ${batch} for update`.execute(trx)
      for (const row of rows) {
        for (const column of columns) {
          const sealed = row[column]
          if (typeof sealed !== 'string' || seal.isCurrent(sealed)) continue
          const place = { table, row: row.id, column }
          const again = seal.seal(seal.open(sealed, place), place)
          await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${again} where id = ${row.id}`.execute(
            trx,
          )
          changed += 1
        }
      }
      return rows.at(-1)?.id
    })
    if (done === undefined) return changed
    after = done
  }
}
