import { writable, type Resource } from '@karvon/contract/lib/resource.ts'
import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'
import { counted, type Check } from '../database/check.ts'
import { tableOf } from '../database/pg-errors.ts'
import type { Seal } from './seal.ts'

const batch = 200

/** Columns of a table that hold sealed values, each bound to its row's id. */
export interface Sealed {
  table: string
  columns: readonly string[]
}

/** What resources keep sealed. */
export const sealedOf = (resources: readonly Resource[]): Sealed[] =>
  resources.map((resource) => ({
    table: tableOf(resource),
    columns: writable(resource.fields).flatMap(([key, { kind }]) => (kind === 'secret' ? [key] : [])),
  }))

/**
 * Seals whatever an older key sealed with the one that seals now, row by row, while the product works; answers
 * how many values that were. A value that cannot be opened throws, and leaves everything as it was from there on.
 */
export async function reseal(db: Db, seal: Seal, sealed: readonly Sealed[]): Promise<number> {
  let changed = 0
  for (const { table, columns } of sealed) {
    if (columns.length > 0) changed += await resealTable(db, seal, table, columns)
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

/** Whether every sealed value opens with the keys that are there. */
export const sealsCheck = (seal: Seal, sealed: readonly Sealed[]): Check => ({
  name: 'sealed secrets',
  async run(client) {
    const faults: string[] = []
    let opened = 0
    for (const { table, columns } of sealed.filter((each) => each.columns.length > 0)) {
      const { rows } = await client.query<Record<string, string | null> & { id: number }>(
        `select id, ${columns.join(', ')} from ${table} order by id`,
      )
      for (const row of rows) {
        for (const column of columns) {
          const value = row[column]
          if (typeof value !== 'string') continue
          opened += 1
          const fault = problemOf(() => seal.open(value, { table, row: row.id, column }))
          if (fault !== null)
            faults.push(`${column} of row ${row.id} in ${table} cannot be opened: ${fault}.`)
        }
      }
    }
    return { said: counted(opened, 'secret'), faults }
  },
})

function problemOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
