import type pg from 'pg'

/** Stores a saved view of leads of the first admin. Answers its id. */
export async function insertTestView(pool: pg.Pool, name: string): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into saved_views (user_id, name, screen, address)
     select id, $1, '/leads', '/leads' from users where username = 'admin' returning id`,
    [name],
  )
  return rows[0]?.id ?? 0
}

/** Stores a view that is sent to Telegram every Monday. Answers the id of the view. */
export async function insertScheduledTestView(pool: pg.Pool, name: string): Promise<number> {
  const id = await insertTestView(pool, name)
  await pool.query(
    `insert into view_schedules (view_id, channel, time, weekdays, includes_roles, is_active, next_at)
     values ($1, 'telegram', '09:00', '{1}', false, true, now() + interval '1 day')`,
    [id],
  )
  return id
}
