import { counted, type Check } from '../platform/database/check.ts'

/** The totals that lists show, which triggers keep, against the rows. */
export const countsCheck: Check = {
  name: 'totals of the lists',
  async run(client) {
    const { rows } = await client.query<{ name: string; rows: number }>(
      'select table_name as name, sum(rows) as rows from row_counts group by table_name order by table_name',
    )
    const faults: string[] = []
    for (const { name, rows: kept } of rows) {
      const found = await client.query<{ n: number }>(`select count(*) as n from ${name}`)
      const there = found.rows[0]?.n ?? 0
      if (there !== kept) faults.push(`${name} is counted as ${kept} rows, and has ${there}.`)
    }
    return { said: counted(rows.length, 'list'), faults }
  },
}
