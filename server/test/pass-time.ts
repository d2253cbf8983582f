import type pg from 'pg'

// Times that a source reports. They do not follow the database's clock.
const sourceColumns = [
  'leads.created_at',
  'leads.updated_at',
  'lead_history.source_time',
  'parcels.eventtime',
  'parcel_events.eventtime',
  'outgoing_postbacks.changed_at',
]

/**
 * Simulates that time passes without work: moves every time that the database stored by its clock into the past. A
 * negative number simulates a clock that was set back.
 */
export async function passTime(pool: pg.Pool, milliseconds: number): Promise<void> {
  const { rows } = await pool.query<{ table: string; columns: string[] }>(
    `select c.table_name as table, array_agg(c.column_name::text) as columns
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where not exists (select from pg_inherits where inhrelid = c.table_name::text::regclass)
       and t.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
       and c.data_type = 'timestamp with time zone' and c.table_name || '.' || c.column_name <> all($1)
     group by c.table_name`,
    [sourceColumns],
  )
  const seconds = milliseconds / 1000
  const statements = rows.map(({ table, columns }) => {
    const assignments = columns.map((column) => `${column} = ${column} - make_interval(secs => ${seconds})`)
    return `alter table ${table} disable trigger user; update ${table} set ${assignments.join(', ')};
      alter table ${table} enable trigger user;`
  })
  // The product's role has no right to change entries of the ledger.
  await pool.query(`begin; grant update on ledger_entries to current_user; ${statements.join('\n')}
    revoke update on ledger_entries from current_user; commit`)
}
