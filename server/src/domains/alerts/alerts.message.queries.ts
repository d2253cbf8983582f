import type { AlertKind, AlertMetric, AlertPeriod } from '@karvon/contract/alerts/rules.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { joinOwnerSql, receiverSql } from './alerts.access.queries.ts'

/** The present moment by the clock of the database. */
export async function readMoment(db: Db): Promise<string> {
  const { rows } = await sql<{ at: string }>`select now() as at`.execute(db)
  if (rows[0] === undefined) throw new Error('The database returned no time')
  return rows[0].at
}

/** An incident of a notice. Numbers are decimal texts. */
export interface NoticeAlert {
  isEnd: boolean
  hasNoData: boolean
  incidentId: number
  kind: AlertKind
  subject: string
  value: string
  base: string | null
  threshold: string
  metric: AlertMetric | null
  period: AlertPeriod | null
  against: string | null
}

/**
 * Whether the notice of the begin of an incident is being sent now, so that the notice of its end must wait.
 */
export async function isBeginInFlight(db: Db, noticeId: number): Promise<boolean> {
  const { rows } = await sql`
    select from alert_receivers a join notices b on b.id = a.began_notice_id
    where a.ended_notice_id = ${noticeId} and b.status = 'queued' and b.leased_until > now() limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** SQL: the alerts `a` of people. */
const alertsSql = `alert_receivers a
  join alert_incidents i on i.id = a.incident_id
  join alert_rules r on r.id = i.rule_id ${joinOwnerSql('r')}
  join users u on u.id = a.user_id join roles ro on ro.id = u.role_id`
/** SQL: the person gets messages of the alert now. */
const isWanted = `coalesce(a.snoozed_until <= now(), true)
  and not exists (select from alert_mutes m where m.rule_id = r.id and m.user_id = a.user_id)
  and ${receiverSql('r', 'u', 'ro')}`

/**
 * The incidents that a notice may report now, to a person who gets them now: begins that have not ended, and
 * ends of begins that were sent or may have been sent. A begin that ended, was snoozed or was muted before its
 * notice was sent is never reported, nor is its end. An incident may end between both statements, so the second statement
 * uses the rows of the first.
 */
export async function readNoticeAlerts(db: Db, noticeId: number): Promise<NoticeAlert[]> {
  const { rows } = await sql<NoticeAlert & { id: number }>`
    select a.id, a.ended_notice_id is not distinct from ${noticeId}::bigint as "isEnd", i.id as "incidentId",
      i.ended_without_data as "hasNoData", r.kind, i.subject_name as subject,
      i.value::text, i.base::text, i.threshold::text, r.metric, r.period, r.against
    from ${sql.raw(alertsSql)} left join notices b on b.id = a.began_notice_id
    where ((a.began_notice_id = ${noticeId} and i.ended_at is null)
        or (a.ended_notice_id = ${noticeId} and (b.status = 'sent' or b.unsure)))
      and ${sql.raw(isWanted)}
    order by i.id`.execute(db)
  await sql`
    update alert_receivers set began_notice_id = null
    where began_notice_id = ${noticeId} and id <> all(${rows.map(({ id }) => id)}::bigint[])
      and exists (select from notices n where n.id = ${noticeId} and not n.unsure)`.execute(db)
  return rows
}
