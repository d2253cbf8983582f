import { formatCount, type Check } from '../platform/database/check.ts'

/** Compares the row counts of lists, which triggers keep up to date, with the rows. */
export const rowCountsCheck: Check = {
  name: 'totals of the lists',
  async run(client) {
    const { rows } = await client.query<{ name: string; rows: number }>(
      'select table_name as name, sum(rows) as rows from row_counts group by table_name order by table_name',
    )
    const faults: string[] = []
    for (const { name, rows: storedCount } of rows) {
      const result = await client.query<{ n: number }>(`select count(*) as n from ${name}`)
      const rowCount = result.rows[0]?.n ?? 0
      if (rowCount !== storedCount)
        faults.push(`${name} is counted as ${storedCount} rows, and has ${rowCount}.`)
    }
    return { summary: formatCount(rows.length, 'list'), faults }
  },
}
