import type { openPool } from '@karvon/server/platform/database/pool.ts'
import { differingTotals } from '@karvon/server/domains/rollups/rollups.check.queries.ts'

/** Compares every total with its leads. */
export async function compareTotals(
  pool: ReturnType<typeof openPool>,
): Promise<{ rows: number; differing: number }> {
  const client = await pool.connect()
  try {
    await client.query(`set work_mem = '512MB'`)
    const tables = await differingTotals(client)
    await client.query('reset work_mem')
    const sum = (key: 'rows' | 'differing') => tables.reduce((total, table) => total + table[key], 0)
    return { rows: sum('rows'), differing: sum('differing') }
  } finally {
    client.release()
  }
}
