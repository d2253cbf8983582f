import type pg from 'pg'

/** Stores a rule of a person with an open alert in the person's inbox. Answers their ids. */
export async function insertAlert(
  pool: pg.Pool,
  userId: number,
  name: string,
): Promise<{ rule: number; incident: number }> {
  const { rows } = await pool.query<{ rule: number; incident: number }>(
    `with created as (
       insert into alert_rules (kind, name, owner_id, threshold) values ('silence', $2, $1, 60) returning id
     ), begun as (
       insert into alert_incidents (rule_id, subject_kind, subject_id, subject_name, value, threshold, pending_since, began_at)
       select id, 'rule', 0, $2, 61, 60, now(), now() from created returning id, rule_id
     ), received as (
       insert into alert_receivers (incident_id, user_id) select id, $1 from begun
     )
     select rule_id as rule, id as incident from begun`,
    [userId, name],
  )
  if (rows[0] === undefined) throw new Error('No alert was stored')
  return rows[0]
}
