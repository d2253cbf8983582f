import { formatCount, type Check } from '../platform/database/check.ts'
import { rangedTables, rangeSizes } from './lists.ranges.ts'

/** Compares the row counts of lists and of their ranges, which triggers keep up to date, with the rows. */
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
    for (const table of rangedTables) {
      const { rows: wrongRows } = await client.query<{ n: number }>(countWrongRangesSql(table))
      const wrongCount = wrongRows[0]?.n ?? 0
      if (wrongCount > 0)
        faults.push(`${table}: the rows of ${wrongCount} ranges of ids are counted wrongly.`)
    }
    return { summary: formatCount(rows.length, 'list'), faults }
  },
}

const countWrongRangesSql = (table: string) => `select count(*) as n
  from (select size, first_id, sum(rows) as rows from row_ranges where table_name = '${table}' group by size, first_id) stored
  full join (select size, id - id % size as first_id, count(*) as rows
    from ${table}, (values ${rangeSizes.map((size) => `(${size})`).join(', ')}) sizes (size) group by 1, 2) counted
    using (size, first_id)
  where coalesce(stored.rows, 0) <> coalesce(counted.rows, 0)`
