import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** SQL condition: leads of a status are being moved to the report column of its new type. */
export const hasStatusRecountSql = 'exists (select from status_recounts)'

/** Whether rollups of report columns still count some leads by the former type of their status. */
export async function hasStatusRecount(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select ${sql.raw(hasStatusRecountSql)} as found`.execute(db)
  return rows[0]?.found === true
}
