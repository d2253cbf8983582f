import { sql } from 'kysely'
import type { Db } from '../platform/database/pool.ts'
import { AppError } from '../platform/http/errors.ts'
import { findResourceByTable } from '../platform/database/pg-errors.ts'

interface Referrer {
  table: string
  column: string
}

/** 409 that says which rows use a row: "Used by 3 offers and 1 stream." `uses`: their numbers by table. */
export function createInUseError(uses: ReadonlyMap<string, number>): AppError {
  const usesText = [...uses].map(([table, count]) => `${count} ${getNoun(table, count)}`)
  return new AppError('in_use', {
    ...Object.fromEntries(uses),
    uses: usesText.length === 0 ? 'something else' : joinWithAnd(usesText),
  })
}

/** 409 with the rows whose foreign keys refer to a row. */
export async function findInUseError(db: Db, table: string, id: number): Promise<AppError> {
  const uses = new Map<string, number>()
  for (const referrer of await findReferrers(db, table)) {
    const result = await sql<{ count: number }>`select count(*) as count from ${sql.table(referrer.table)}
      where ${sql.ref(referrer.column)} = ${id}`.execute(db)
    const count = result.rows[0]?.count ?? 0
    if (count > 0) uses.set(referrer.table, (uses.get(referrer.table) ?? 0) + count)
  }
  return createInUseError(uses)
}

/** Finds all foreign keys to the table, except those that cascade a delete. A partition has the key of its table again. */
async function findReferrers(db: Db, table: string): Promise<Referrer[]> {
  const result = await sql<Referrer>`select c.conrelid::regclass::text as "table", a.attname as "column"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confdeltype = 'a' and c.confrelid = ${table}::regclass and c.conparentid = 0
    order by 1, 2`.execute(db)
  return result.rows
}

function getNoun(table: string, count: number): string {
  const noun = findResourceByTable(table)?.noun
  if (noun) return count === 1 ? noun.one : noun.many
  const words = table.replaceAll('_', ' ')
  return count === 1 ? words.replace(/s$/, '') : words
}

const joinWithAnd = (parts: string[]) =>
  [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ')
