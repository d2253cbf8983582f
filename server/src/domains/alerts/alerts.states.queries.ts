import { addDays } from '@karvon/contract/lib/day-ranges.ts'
import { sql } from 'kysely'
import { networkAccountsSql } from '../network-money/network-money.queries.ts'
import { switchedOffReason } from '../outgoing-postbacks/outgoing-postbacks.outcome.ts'
import { dayZero } from '../rollups/rollups.ranges.ts'
import { findWithoutData, readFindings } from './alerts.findings.queries.ts'
import type { RuleEvaluator, Finding } from './alerts.findings.ts'
import { listSignedSpans } from './alerts.spans.ts'

/** Leads that a stream needs in both periods, decided by its source, before its rates are compared. */
const minDecidedLeads = 30
/** The days, with today, whose rate is compared with that of the four weeks before. */
const recentDays = 4
const earlierDays = 28

/**
 * Active streams whose approve rate fell by the percent of the rule, of the last three days and today against the four weeks
 * before. The rate is the share of approved leads among those that are approved or rejected: leads that wait for the answer
 * of their source do not lower it. A stream with too few leads has no rate.
 */
export const findApproveDrops: RuleEvaluator = async (trx, { at, ruleIds }) => {
  const { rows: days } = await sql<{ today: string }>`select ${at}::timestamptz::date::text as today`.execute(
    trx,
  )
  const today = days[0]?.today ?? ''
  const firstRecent = addDays(today, 1 - recentDays)
  const firstEarlier = addDays(firstRecent, -earlierDays)
  const spans = [
    ...listSignedSpans(firstRecent, today).map((span) => ({ ...span, isRecent: true })),
    ...listSignedSpans(firstEarlier, addDays(firstRecent, -1)).map((span) => ({ ...span, isRecent: false })),
  ]
  const approvedSum = sql.raw('f.accepted + f.send + f.sold + f.returned')
  const zero = sql.raw(dayZero)
  return readFindings(
    trx,
    sql<Finding>`
    with sums as (
      select c.is_recent, f.stream_id, c.sign * (${approvedSum}) as approved, c.sign * f.cancel as rejected
      from unnest(${spans.map(({ isRecent }) => isRecent)}::boolean[], ${spans.map(({ sign }) => sign)}::integer[],
        ${spans.map(({ span }) => span)}::smallint[], ${spans.map(({ start }) => start)}::integer[])
        c (is_recent, sign, span, day)
      join stream_totals f on f.span = c.span and f.start = ${zero} + c.day
      union all
      select f.day >= ${firstRecent}::date, f.stream_id, ${approvedSum}, f.cancel from lead_deltas f
      where f.day between ${firstEarlier}::date and ${today}::date
    ), streams_now as (
      select stream_id,
        sum(approved) filter (where is_recent) as approved, sum(rejected) filter (where is_recent) as rejected,
        sum(approved) filter (where not is_recent) as approved_before,
        sum(rejected) filter (where not is_recent) as rejected_before
      from sums group by stream_id
    ), rates as (
      select s.id, s.name, 100.0 * n.approved / (n.approved + n.rejected) as rate,
        100.0 * n.approved_before / (n.approved_before + n.rejected_before) as rate_before
      from streams_now n join streams s on s.id = n.stream_id and s.is_active
      where n.approved + n.rejected >= ${minDecidedLeads} and n.approved_before + n.rejected_before >= ${minDecidedLeads}
        and n.approved_before > 0
    )
    select r.id as "ruleId", 'stream' as "subjectKind", t.id as "subjectId", t.name as "subjectName",
      round(t.rate, 1)::text as value, round(t.rate_before, 1)::text as base, false as "hasNoData"
    from alert_rules r join rates t on t.rate <= t.rate_before * (1 - r.threshold / 100)
    where r.id = any(${ruleIds}::bigint[])
    union all
    ${findWithoutData(ruleIds, sql`not exists (select from rates t where t.id = i.subject_id)`)}`,
  )
}

/** The unmapped statuses of one source that are counted. */
const maxUnmappedStatuses = 1000

/**
 * Sources with unmapped source statuses. The statement jumps from one status to the next in the partial index of leads
 * without a status, so that its cost does not grow with the leads. Each source is counted up to a limit of its own, so that
 * one source with very many statuses does not hide the others.
 */
export const findUnmappedStatuses: RuleEvaluator = async (trx, { ruleIds }) => {
  return readFindings(
    trx,
    sql<Finding>`
    with counted as (
      select s.id, s.name, count(distinct lower(u.source_status)) as statuses
      from cpa_sources s
      cross join lateral (
        with recursive unmapped (source_status) as (
          (select l.source_status from leads l
            where l.status_id is null and l.source_id = s.id order by l.source_status limit 1)
          union all
          select n.source_status from unmapped p cross join lateral (
            select l.source_status from leads l
            where l.status_id is null and l.source_id = s.id and l.source_status > p.source_status
            order by l.source_status limit 1
          ) n
        )
        select source_status from unmapped limit ${maxUnmappedStatuses}
      ) u
      group by s.id
    )
    select r.id as "ruleId", 'source' as "subjectKind", c.id as "subjectId", c.name as "subjectName",
      c.statuses::text as value, null as base
    from alert_rules r join counted c on c.statuses >= r.threshold
    where r.id = any(${ruleIds}::bigint[])`,
  )
}

/**
 * Active templates of which a tracker refused as many postbacks in the last hour as the rule names, whenever they were queued.
 * The postbacks that wait when a template is switched off are refused too, but not by a tracker.
 */
export const findRefusedPostbacks: RuleEvaluator = async (trx, { at, ruleIds }) => {
  return readFindings(
    trx,
    sql<Finding>`
    with refused as (
      select o.template_id, count(*) as n from outgoing_postbacks o
      where o.status = 'refused' and o.next_at > ${at}::timestamptz - interval '1 hour'
        and o.next_at <= ${at}::timestamptz and o.template_id is not null
        and o.last_error is distinct from ${switchedOffReason}
      group by o.template_id
    )
    select r.id as "ruleId", 'template' as "subjectKind", t.id as "subjectId", t.name as "subjectName",
      f.n::text as value, null as base
    from alert_rules r join refused f on f.n >= r.threshold
      join postback_templates t on t.id = f.template_id and t.is_active
    where r.id = any(${ruleIds}::bigint[])`,
  )
}

/**
 * Accounts with a difference of money above the bound of the rule: the open differences of a courier account, and of a
 * network's account its balance against the expected one. Amounts are in the currency of the account. A network that does not
 * report its balance any more has no difference, but its open incident has not recovered.
 */
export const findMoneyDifferences =
  (currency: string): RuleEvaluator =>
  async (trx, { ruleIds }) => {
    return readFindings(
      trx,
      sql<Finding>`
      with accounts as (
        select 'courier' as kind, c.id, c.name, sum(abs(d.difference)) as difference
        from settlement_differences d join courier_accounts c on c.id = d.courier_account_id
        where d.status = 'open' group by c.id
        union all
        select 'credential', m.id, m.name, abs(m.difference)
        from (${sql.raw(networkAccountsSql('true', `'${currency}'`))}) m
      )
      select r.id as "ruleId", a.kind as "subjectKind", a.id as "subjectId", a.name as "subjectName",
        round(a.difference, 2)::text as value, null as base, false as "hasNoData"
      from alert_rules r join accounts a on a.difference > r.threshold
      where r.id = any(${ruleIds}::bigint[])
      union all
      ${findWithoutData(
        ruleIds,
        sql`exists (select from accounts a
          where a.kind = i.subject_kind and a.id = i.subject_id and a.difference is null)`,
      )}`,
    )
  }
