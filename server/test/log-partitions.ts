import type pg from 'pg'

/** SQL: the start of the month that is `months` after the present one, in UTC. */
export const startOfMonth = (months: number): string =>
  `(date_trunc('month', now() at time zone 'UTC') + ${months} * interval '1 month') at time zone 'UTC'`

/**
 * Empties a log and gives it partitions between the starts of months, counted from the present one: `[0, 1]` is what is before this
 * month, this month, and the rest.
 */
export async function arrangePartitions(
  pool: pg.Pool,
  log: string,
  months: readonly number[],
): Promise<void> {
  await pool.query(`delete from ${log}`)
  const { rows } = await pool.query<{ name: string }>('select name from log_partitions where log = $1', [log])
  await pool.query(`drop table ${rows.map(({ name }) => name).join(', ')}`)
  const bounds = [`'-infinity'`, ...months.map(startOfMonth), `'infinity'`]
  for (const [index, end] of bounds.slice(1).entries()) {
    const start = bounds[index] ?? ''
    const suffix =
      index === 0
        ? `'_before'`
        : index === months.length
          ? `'_rest'`
          : `to_char(${start} at time zone 'UTC', '_YYYY_MM')`
    await pool.query(`select add_log_partition($1, $1 || ${suffix}, ${start}, ${end})`, [log])
  }
}

/** The starts of the partitions but the first one, as months after the present one. */
export async function readPartitionStarts(pool: pg.Pool, log: string): Promise<number[]> {
  const count = (time: string) =>
    `extract(year from ${time} at time zone 'UTC') * 12 + extract(month from ${time} at time zone 'UTC')`
  const { rows } = await pool.query<{ months: number }>(
    `select (${count('starts_at')} - (${count('now()')}))::integer as months
     from log_partitions where log = $1 and starts_at > '-infinity' order by starts_at`,
    [log],
  )
  return rows.map(({ months }) => months)
}
