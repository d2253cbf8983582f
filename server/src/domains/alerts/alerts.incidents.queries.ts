import { maxAlertReceivers, maxAlertsPerDay } from '@karvon/contract/lib/limits.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { activeCredentials } from '../connectors/connectors.account.queries.ts'
import { activeCourierAccounts } from '../courier-accounts/courier-accounts.queries.ts'
import { hasStatusRecountSql } from '../rollups/rollups.recounts.queries.ts'
import { joinOwnerSql, ownerAccessSql, receiverSql } from './alerts.access.queries.ts'
import type { Evaluation, Finding } from './alerts.findings.ts'

export interface DueRule {
  id: number
  kind: string
}

/** After so many minutes without an evaluation, rules about feeds wait until the feeds have caught up. */
const pauseMinutes = 15
const catchUpMinutes = 30

/**
 * Days without data after which an incident ends. A rule may have none for a night or a weekend, and compares the same weekday of
 * earlier weeks.
 */
export const daysWithoutData = 7

/**
 * Stores the moment of an evaluation. After a pause it postpones the rules that find feeds without data. Hold times and times
 * without data start again, because nobody knows whether a condition held during the pause.
 */
export async function startEvaluation(trx: Db, at: string): Promise<void> {
  await sql`
    with last as (select evaluated_at from alert_evaluations for update),
    stored as (update alert_evaluations set evaluated_at = ${at} from last),
    pause as (select from last where evaluated_at < ${at}::timestamptz - make_interval(mins => ${pauseMinutes})),
    forgotten as (delete from alert_incidents where began_at is null and exists (select from pause)),
    counted_again as (
      update alert_incidents set no_data_since = null where no_data_since is not null and exists (select from pause)
    )
    update alert_rules set next_at = ${at}::timestamptz + make_interval(mins => ${catchUpMinutes})
    from pause where kind in ('sync_failing', 'source_silent', 'silence')`.execute(trx)
}

/**
 * SQL: the rule `r` compares report columns while leads are moved between them, so that newer and older leads
 * count differently.
 */
const waitsForRecount = `(${hasStatusRecountSql} and (r.kind = 'approve_drop' or (r.kind = 'metric' and r.metric <> 'leads')))`

/** Minutes of an hour in which a rule is compared with its history. A figure of today grows within the hour. */
const historyMinutes = 5

/**
 * Locks the rules that are due, that are on, that do not wait, and whose owner may see now what they read. A rule against its
 * history that missed the start of this hour waits for the next one.
 */
export async function lockDueRules(trx: Db, at: string): Promise<DueRule[]> {
  const { rows } = await sql<DueRule>`
    select r.id, r.kind from alert_rules r ${sql.raw(joinOwnerSql('r'))}
    where r.is_active and r.next_at <= ${at}::timestamptz and ${sql.raw(ownerAccessSql('r', 'o', 'w'))}
      and not ${sql.raw(waitsForRecount)}
      and (r.against is distinct from 'history'
        or ${at}::timestamptz < date_trunc('hour', ${at}::timestamptz) + make_interval(mins => ${historyMinutes}))
    order by r.id for no key update of r`.execute(trx)
  return rows
}

/**
 * Moves rules that are evaluated less often than each minute to their next time: a full hour, or minutes
 * later. Rules that failed are tried again in the next evaluation.
 */
export async function postponeRules(
  trx: Db,
  {
    at,
    failedIds,
    slowIds,
    minutes,
  }: { at: string; failedIds: readonly number[]; slowIds: readonly number[]; minutes: number },
): Promise<void> {
  await sql`update alert_rules r set next_at = case when kind = 'metric'
      then date_trunc('hour', ${at}::timestamptz) + interval '1 hour'
      else ${at}::timestamptz + make_interval(mins => ${minutes}) end
    where id = any(${slowIds}::bigint[]) or (kind = 'metric' and against = 'history' and is_active
      and next_at <= ${at}::timestamptz and not ${sql.raw(waitsForRecount)}
      and id <> all(${failedIds}::bigint[]))`.execute(trx)
}

/**
 * SQL: the rule `r` still evaluates the subject of the incident `i`, which was neither deleted nor switched off, and whose
 * source still has a connector if its syncs are evaluated. The kinds that are not named here also evaluate what is switched off.
 */
const isWatched = sql`case i.subject_kind
  when 'source' then exists (select from cpa_sources s where s.id = i.subject_id
    and (s.is_active or r.kind <> 'source_silent'))
  when 'stream' then exists (select from streams s where s.id = i.subject_id and s.is_active)
  when 'template' then exists (select from postback_templates t where t.id = i.subject_id and t.is_active)
  when 'courier' then exists (select from courier_accounts c
    where c.id = i.subject_id and (r.kind <> 'sync_failing' or c.id in (${activeCourierAccounts})))
  when 'credential' then exists (select from source_credentials c
    where c.id = i.subject_id and (r.kind <> 'sync_failing' or c.id in (${activeCredentials})))
  else true end`

/** SQL: the rule of the incident `i` is on, its owner may see what it reads, and it still evaluates the subject. */
const isAlive = sql<boolean>`exists (select from alert_rules r ${sql.raw(joinOwnerSql('r'))}
    where r.id = i.rule_id and r.is_active and ${sql.raw(ownerAccessSql('r', 'o', 'w'))} and ${isWatched})`

/**
 * Ends the incidents of rules that are off or whose owner lost access, and those whose subject was deleted or switched
 * off. No message is sent, because it would say that the subject has recovered.
 */
export async function closeInactive(trx: Db, at: string): Promise<void> {
  const isDead = sql`i.ended_at is null and not ${isAlive}`
  await sql`delete from alert_incidents i where i.began_at is null and ${isDead}`.execute(trx)
  await sql`update alert_incidents i set ended_at = ${at} where i.began_at is not null and ${isDead}`.execute(
    trx,
  )
}

const findingColumns = sql.raw('f (rule_id, subject_kind, subject_id, subject_name, value, base)')

function unnestFindings(findings: readonly Finding[]) {
  return sql`unnest(${findings.map(({ ruleId }) => ruleId)}::bigint[],
    ${findings.map(({ subjectKind }) => subjectKind)}::text[], ${findings.map(({ subjectId }) => subjectId)}::bigint[],
    ${findings.map(({ subjectName }) => subjectName)}::text[], ${findings.map(({ value }) => value)}::numeric[],
    ${findings.map(({ base }) => base)}::numeric[]) ${findingColumns}`
}

const isFound = sql.raw(
  'f.rule_id = i.rule_id and f.subject_kind = i.subject_kind and f.subject_id = i.subject_id',
)

/** SQL: what the rule `r` reads. */
const ruleValues =
  sql.raw(`jsonb_build_object('metric', r.metric, 'period', r.period, 'condition', r.condition,
  'against', r.against, 'source_ids', r.source_ids, 'offer_ids', r.offer_ids, 'stream_ids', r.stream_ids, 'buyer_ids', r.buyer_ids)`)

/**
 * Stores what the rules found: a new finding waits for the hold time of its rule, and begins then. A rule against its history is
 * evaluated some seconds or minutes after each full hour, so its hold time counts from full hours. Answers the incidents that
 * started now. The unique key guarantees one open incident of a rule and subject.
 */
export async function beginIncidents(
  trx: Db,
  { at }: Evaluation,
  findings: readonly Finding[],
): Promise<number[]> {
  const newFindings = findings.filter(({ hasNoData }) => hasNoData !== true)
  const { rows } = await sql<{ id: number }>`
    with found as (
      select f.*, ${ruleValues} as rule_values, r.threshold, r.hold_minutes * interval '1 minute' as hold,
        case when r.against = 'history' then date_trunc('hour', ${at}::timestamptz) else ${at}::timestamptz end as moment
      from ${unnestFindings(newFindings)} join alert_rules r on r.id = f.rule_id
    ), held as (
      update alert_incidents i set began_at = ${at}, value = f.value, threshold = f.threshold, base = f.base
      from found f
      where ${isFound} and i.ended_at is null and i.began_at is null and i.pending_since <= f.moment - f.hold
      returning i.id
    ), added as (
      insert into alert_incidents (rule_id, subject_kind, subject_id, subject_name, value, threshold, base, rule_values,
        pending_since, began_at)
      select f.rule_id, f.subject_kind, f.subject_id, left(f.subject_name, 255), f.value, f.threshold, f.base, f.rule_values,
        f.moment, case when f.hold = interval '0' then ${at}::timestamptz end
      from found f
      where not exists (select from alert_incidents i where ${isFound} and i.ended_at is null)
        and (select count(*) from alert_incidents i where ${isFound}
          and i.began_at > ${at}::timestamptz - interval '1 day') < ${maxAlertsPerDay}
      order by f.rule_id, f.subject_kind, f.subject_id
      on conflict (rule_id, subject_kind, subject_id) where ended_at is null do nothing
      returning id, began_at
    )
    select id from held union all select id from added where began_at is not null order by id`.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * Ends the open incidents of the evaluated rules that they do not find any more. Answers those that have recovered: another
 * transaction may have switched the subject off since the evaluation started.
 */
export async function endIncidents(
  trx: Db,
  { at, ruleIds }: Evaluation,
  findings: readonly Finding[],
): Promise<number[]> {
  const isOver = sql`i.ended_at is null and i.rule_id = any(${ruleIds}::bigint[])
    and not exists (select from ${unnestFindings(findings)} where ${isFound})`
  await sql`delete from alert_incidents i where i.began_at is null and ${isOver}`.execute(trx)
  const { rows } = await sql<{ id: number; is_alive: boolean }>`update alert_incidents i set ended_at = ${at}
    where i.began_at is not null and ${isOver} returning i.id, ${isAlive} as is_alive`.execute(trx)
  return listAliveIds(rows)
}

const listAliveIds = (rows: readonly { id: number; is_alive: boolean }[]) =>
  rows.filter(({ is_alive }) => is_alive).map(({ id }) => id)

/**
 * Stores since when the rules have had no data for their open incidents, and ends those that have had none for too long: they
 * have not recovered, and would stay open for ever. Answers those that ended.
 */
export async function endWithoutData(
  trx: Db,
  { at, ruleIds }: Evaluation,
  findings: readonly Finding[],
): Promise<number[]> {
  const hasNoData = sql`exists (
    select from ${unnestFindings(findings.filter((finding) => finding.hasNoData))} where ${isFound})`
  const isOpen = sql`i.rule_id = any(${ruleIds}::bigint[]) and i.began_at is not null and i.ended_at is null`
  await sql`update alert_incidents i set no_data_since = case when i.no_data_since is null then ${at}::timestamptz end
    where ${isOpen} and ${hasNoData} = (i.no_data_since is null)`.execute(trx)
  const { rows } = await sql<{ id: number; is_alive: boolean }>`
    update alert_incidents i set ended_at = ${at}, ended_without_data = true
    where ${isOpen} and i.no_data_since <= ${at}::timestamptz - make_interval(days => ${daysWithoutData})
    returning i.id, ${isAlive} as is_alive`.execute(trx)
  return listAliveIds(rows)
}

/**
 * Puts new incidents into the inboxes of those who get the alerts of the rule now and did not turn them off.
 * A snooze of an earlier incident about the same subject goes on.
 */
export async function insertReceivers(trx: Db, at: string, startedIds: readonly number[]): Promise<void> {
  if (startedIds.length === 0) return
  await sql`
    insert into alert_receivers (incident_id, user_id, snoozed_until)
    select i.id, p.id, (
      select max(x.snoozed_until) from alert_incidents e join alert_receivers x on x.incident_id = e.id
      where e.rule_id = i.rule_id and e.subject_kind = i.subject_kind and e.subject_id = i.subject_id
        and x.user_id = p.id and x.snoozed_until > ${at}::timestamptz)
    from alert_incidents i join alert_rules r on r.id = i.rule_id ${sql.raw(joinOwnerSql('r'))}
    cross join lateral (
      select u.id from users u join roles ro on ro.id = u.role_id
      where ${sql.raw(receiverSql('r', 'u', 'ro'))}
        and not exists (select from alert_mutes m where m.rule_id = r.id and m.user_id = u.id)
      order by u.id = r.owner_id desc nulls last, u.id limit ${maxAlertReceivers}
    ) p
    where i.id = any(${startedIds}::bigint[])
    order by i.id, p.id`.execute(trx)
}

/**
 * Queues one notice for each person with a chat who gets alerts there: of all incidents that began and ended
 * in this evaluation. The end is sent only to people who have a notice of its begin.
 */
export async function queueAlertNotices(
  trx: Db,
  { at, startedIds, endedIds }: { at: string; startedIds: readonly number[]; endedIds: readonly number[] },
): Promise<void> {
  if (startedIds.length + endedIds.length === 0) return
  await sql`
    with notified as (
      select a.id, a.user_id, a.incident_id = any(${startedIds}::bigint[]) as is_begin
      from alert_receivers a
      join alert_incidents i on i.id = a.incident_id
      join alert_rules r on r.id = i.rule_id ${sql.raw(joinOwnerSql('r'))}
      join users u on u.id = a.user_id join roles ro on ro.id = u.role_id
      join telegram_links l on l.user_id = a.user_id and l.chat_id is not null and l.alerts
        and coalesce(l.muted_until <= ${at}::timestamptz, true)
      where (a.incident_id = any(${startedIds}::bigint[])
          or (a.incident_id = any(${endedIds}::bigint[]) and a.began_notice_id is not null))
        and coalesce(a.snoozed_until <= ${at}::timestamptz, true)
        and not exists (select from alert_mutes m where m.rule_id = r.id and m.user_id = a.user_id)
        and ${sql.raw(receiverSql('r', 'u', 'ro'))}
    ), queued as (
      insert into notices (user_id, kind, once, message)
      select user_id, 'alert', format('alerts:%s', gen_random_uuid()), 'alerts' from notified group by user_id order by user_id
      returning id, user_id
    )
    update alert_receivers a set
      began_notice_id = case when t.is_begin then q.id else a.began_notice_id end,
      ended_notice_id = case when t.is_begin then null else q.id end
    from notified t join queued q on q.user_id = t.user_id where a.id = t.id`.execute(trx)
}
