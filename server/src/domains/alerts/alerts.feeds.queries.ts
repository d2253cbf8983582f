import { maxAlertFindings } from '@karvon/contract/lib/limits.ts'
import { sql } from 'kysely'
import { activeCredentials } from '../connectors/connectors.account.queries.ts'
import { activeCourierAccounts } from '../courier-accounts/courier-accounts.queries.ts'
import { failuresBeforePause } from '../syncs/syncs.kind.ts'
import { readFindings } from './alerts.findings.queries.ts'
import type { RuleEvaluator, Finding } from './alerts.findings.ts'

/** Minutes for which any source may be silent, because networks are fetched every few minutes. */
const minSilence = 30
/** Days of a silence that are compared with what is usual. */
const maxSilenceDays = 7

/**
 * SQL: the minutes from a time until `at`. They are compared with a threshold as numbers, because the largest threshold is
 * no interval that the database can hold.
 */
const minutesSince = (time: string, at: string) =>
  sql`extract(epoch from ${at}::timestamptz - ${sql.raw(time)}) / 60`

/**
 * Active accounts of networks and couriers without a good run for the minutes of the rule, or with so many failures in a row
 * that they are paused after each. The run after a pause has not recovered before it ends.
 */
export const findFailingSyncs: RuleEvaluator = async (trx, { at, ruleIds }) => {
  return readFindings(
    trx,
    sql<Finding>`
    with accounts as (
      select s.*, 'credential' as kind, c.id as account_id, c.name
      from sync_states s join source_credentials c on c.id = s.source_credential_id
      where c.id in (${activeCredentials})
      union all
      select s.*, 'courier', c.id, c.name
      from sync_states s join courier_accounts c on c.id = s.courier_account_id
      where c.id in (${activeCourierAccounts})
    )
    select r.id as "ruleId", a.kind as "subjectKind", a.account_id as "subjectId", a.name as "subjectName",
      floor(${minutesSince('a.last_success_at', at)})::text as value, null as base
    from alert_rules r join accounts a
      on ${minutesSince('a.last_success_at', at)} >= r.threshold
      or a.failures >= ${failuresBeforePause}
    where r.id = any(${ruleIds}::bigint[])`,
  )
}

/**
 * Active sources that are silent for longer than usual: since their last lead, at least as many leads as the rule
 * names would usually have come. "Usually" is the mean of each weekday and hour in the four weeks before the silence. Hours
 * of another time zone may begin at another minute. A source needs a week of history.
 */
export const findSilentSources: RuleEvaluator = async (trx, { at, ruleIds }) => {
  return readFindings(
    trx,
    sql<Finding>`
    with silent as (
      select s.id, s.name, l.last_at, f.first_hour,
        least(${at}::timestamptz, l.last_at + make_interval(days => ${maxSilenceDays})) as until
      from cpa_sources s
      join lateral (select max(a.last_at) as last_at from stream_arrivals a where a.source_id = s.id) l on true
      join lateral (
        select h.hour as first_hour from source_hours h where h.source_id = s.id order by h.hour limit 1
      ) f on true
      where s.is_active and l.last_at <= ${at}::timestamptz - make_interval(mins => ${minSilence})
    ), usual as (
      -- Of the hour of the last lead, what usually comes and had not come yet is spread over the rest of the hour.
      select s.id, sum(
        case when h.hour > s.last_at then m.leads else greatest(m.leads - coalesce(n.leads, 0), 0) end
        * extract(epoch from least(s.until, h.hour + interval '1 hour') - greatest(s.last_at, h.hour))
        / extract(epoch from h.hour + interval '1 hour' - greatest(s.last_at, h.hour))) as leads
      from silent s
      cross join lateral generate_series(date_trunc('hour', s.last_at), s.until, interval '1 hour') h (hour)
      cross join lateral (
        select coalesce(sum(p.leads), 0)::numeric / nullif(count(*), 0) as leads
        from generate_series(1, 4) w (week)
        left join source_hours p on p.source_id = s.id and p.hour >= h.hour - make_interval(days => 7 * w.week)
          and p.hour < h.hour - make_interval(days => 7 * w.week) + interval '1 hour'
        where h.hour - make_interval(days => 7 * w.week) >= s.first_hour
      ) m
      left join source_hours n on n.source_id = s.id and n.hour = h.hour
      where h.hour < s.until
      group by s.id
    )
    select r.id as "ruleId", 'source' as "subjectKind", s.id as "subjectId", s.name as "subjectName",
      floor(${minutesSince('s.last_at', at)})::text as value, round(u.leads, 1)::text as base
    from alert_rules r join usual u on u.leads >= r.threshold join silent s on s.id = u.id
    where r.id = any(${ruleIds}::bigint[])`,
  )
}

/**
 * Rules whose leads did not come for their minutes. Before the first lead the time counts from the start of the rule: its creation,
 * or the change that made it read other leads. A person's rule counts the leads of own streams at the sources of the role.
 */
export const findSilences: RuleEvaluator = async (trx, { at, ruleIds }) => {
  const { rows } = await sql<Finding>`
    select r.id as "ruleId", 'rule' as "subjectKind", 0 as "subjectId", r.name as "subjectName",
      floor(${minutesSince('coalesce(l.last_at, r.started_at)', at)})::text as value, null as base
    from alert_rules r
    join users o on o.id = r.owner_id join roles w on w.id = o.role_id
    cross join lateral (
      select max(a.last_at) as last_at from stream_arrivals a
      where (r.source_ids = '{}' or a.source_id = any(r.source_ids)) and (r.offer_ids = '{}' or a.offer_id = any(r.offer_ids))
        and (r.stream_ids = '{}' or a.stream_id = any(r.stream_ids))
        and (r.buyer_ids = '{}'
          or coalesce((select s.user_id from streams s where s.id = a.stream_id), 0) = any(r.buyer_ids))
        and (w.code = 'admin' or (a.stream_id in (select s.id from streams s where s.user_id = o.id)
          and a.source_id in (select x.source_id from role_source_access x where x.role_id = o.role_id)))
    ) l
    where r.id = any(${ruleIds}::bigint[])
      and ${minutesSince('coalesce(l.last_at, r.started_at)', at)} >= r.threshold
    order by r.id limit ${maxAlertFindings}`.execute(trx)
  return rows
}
