import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** The rows that filters name by their ids. */
const referenceTables = {
  source: 'cpa_sources',
  offer: 'offers',
  stream: 'streams',
  buyer: 'users',
  status: 'statuses',
  role: 'roles',
  statusType: 'status_types',
  template: 'postback_templates',
  courierAccount: 'courier_accounts',
} as const
export type Reference = keyof typeof referenceTables

/** The names of rows by the texts of their ids, for an admin, who may see all of them. */
export async function readRowNames(
  db: Db,
  reference: Reference,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id::text as id, name from ${sql.table(referenceTables[reference])} where id = any(${ids}::bigint[])`.execute(
    db,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
