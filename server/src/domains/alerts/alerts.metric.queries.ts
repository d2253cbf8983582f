import { alertPeriods } from '@karvon/contract/alerts/rules.ts'
import {
  isRatio,
  metricNames,
  metricKinds,
  sumFigures,
  type MetricName,
} from '@karvon/contract/explore/explore.metrics.ts'
import { resolvePeriod } from '@karvon/contract/explore/explore.periods.ts'
import { maxAlertFindings } from '@karvon/contract/lib/limits.ts'
import { ratios, type SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { dayZero } from '../rollups/rollups.ranges.ts'
import { findWithoutData } from './alerts.findings.queries.ts'
import type { Evaluation, RuleEvaluator, Finding } from './alerts.findings.ts'
import { listSignedSpans, longestSpan } from './alerts.spans.ts'

/** The days of each period, and the totals of those that have an end, as rows. */
function listPeriods(today: string) {
  const periods = alertPeriods.map((period) => ({ period, ...resolvePeriod(period, today) }))
  const spans = periods.flatMap(({ period, start, end }) =>
    start === undefined || end === undefined
      ? []
      : listSignedSpans(start, end).map((span) => ({ ...span, period })),
  )
  return { periods, spans }
}

const signedFigures = sumFigures.map((figure) => `c.sign * f.${figure} as ${figure}`).join(', ')
const sums = sumFigures.map((figure) => `coalesce(sum(f.${figure}), 0) as ${figure}`).join(', ')

const sumOf = (names: readonly SumFigure[]) => names.map((name) => `s.${name}`).join(' + ')

/** The value of a metric from the sums `s`. Rates are in percent. */
function buildValue(metric: MetricName): string {
  if (!isRatio(metric)) return `s.${metric}`
  const { numerator, divisor } = ratios[metric]
  const factor = metricKinds[metric] === 'rate' ? '100.0' : '1.0'
  return `round(${factor} * (${sumOf(numerator)}) / nullif(${sumOf(divisor)}, 0), 2)`
}

/** The value of the metric of the rule `r`. */
const valueSql = `case r.metric ${metricNames.map((name) => `when '${name}' then ${buildValue(name)}`).join(' ')} end`

/**
 * The scope of each rule decides which totals it reads: those of sources, of offers or of streams. A person
 * who is not an admin reads own streams at the sources of the role.
 */
const scopesSql = `scopes as materialized (
  select r.id, r.period, r.source_ids, r.offer_ids, r.stream_ids, r.buyer_ids,
    case when w.code <> 'admin' then o.id end as user_id,
    case when w.code <> 'admin' then array(select a.source_id from role_source_access a where a.role_id = o.role_id) end
      as role_source_ids,
    case when w.code <> 'admin' or r.stream_ids <> '{}' or r.buyer_ids <> '{}' then 'stream'
      when r.offer_ids <> '{}' then 'offer' else 'source' end as scope
  from alert_rules r join users o on o.id = r.owner_id join roles w on w.id = o.role_id
  where r.id = any($1::bigint[])
), owners as materialized (
  select s.id, coalesce(s.user_id, 0) as user_id from streams s union all select 0, 0
)`

const isSource = `(k.source_ids = '{}' or f.source_id = any(k.source_ids))`
const isOffer = `(k.offer_ids = '{}' or f.offer_id = any(k.offer_ids))`
const isRoleSource = '(k.role_source_ids is null or f.source_id = any(k.role_source_ids))'

/**
 * How the rules of a scope are answered. `names`: SQL of the ids that each rule names by `key`, with its period.
 * `filter`: SQL of the figures `f` that count for the rule `k`.
 */
const scopes = [
  {
    scope: 'source',
    table: 'source_totals',
    key: null,
    keys: ['source_id'],
    names: `select k.id, k.period from scopes k where k.scope = 'source'`,
    filter: isSource,
  },
  {
    scope: 'offer',
    table: 'offer_totals',
    key: 'offer_id',
    keys: ['source_id', 'offer_id'],
    names: `select k.id, k.period, n.offer_id from scopes k cross join unnest(k.offer_ids) n (offer_id)
      where k.scope = 'offer'`,
    filter: isSource,
  },
  {
    scope: 'stream',
    table: 'stream_totals',
    key: 'stream_id',
    keys: ['source_id', 'offer_id', 'stream_id'],
    names: `select k.id, k.period, s.id as stream_id from scopes k cross join unnest(k.stream_ids) n (id)
        join owners s on s.id = n.id
      where k.scope = 'stream' and (k.buyer_ids = '{}' or s.user_id = any(k.buyer_ids))
        and (k.user_id is null or s.user_id = k.user_id)
      union all
      select k.id, k.period, s.id from scopes k
        cross join unnest(case when k.user_id is null then k.buyer_ids else array[k.user_id] end) n (user_id)
        join owners s on s.user_id = n.user_id
      where k.scope = 'stream' and k.stream_ids = '{}'`,
    filter: `${isSource} and ${isOffer} and ${isRoleSource}`,
  },
]

/**
 * Rules that name the same streams share their figures: each stream is added up once for a period. `lateral`
 * with an offset keeps the lookup of a total in its index, although other joins are hashed.
 */
const valuesSql = scopes
  .map(({ scope, table, key, keys, names }) => {
    const keyColumns = keys.map((keyName) => `f.${keyName}`).join(', ')
    const isNamed = key === null ? '' : `and f.${key} = n.${key}`
    const namedPeriods = `(select distinct period${key === null ? '' : `, ${key}`} from ${scope}_names) n`
    return `${scope}_names as materialized (${names}),
    ${scope}_values as materialized (
      select f.period, ${keyColumns}, ${sums} from (
        select n.period, ${keyColumns}, ${signedFigures} from ${namedPeriods} join spans c on c.period = n.period
          cross join lateral (select * from ${table} f
            where f.span = c.span and f.start = ${dayZero} + c.day ${isNamed} offset 0) f
        union all
        select n.period, ${keyColumns}, ${signedFigures} from ${namedPeriods} join ranges c on c.period = n.period
          join lead_deltas f on f.day between c.first and c.last ${isNamed}
      ) f group by f.period, ${keyColumns}
    )`
  })
  .join(', ')

const rowsSql = scopes
  .map(
    ({ scope, key, filter }) => `select k.id, ${sumFigures.map((figure) => `f.${figure}`).join(', ')}
      from ${scope}_names n join scopes k on k.id = n.id
      join ${scope}_values f on f.period = n.period ${key === null ? '' : `and f.${key} = n.${key}`} where ${filter}`,
  )
  .join('\nunion all\n')

/**
 * Reads the figures of all rules in one statement, from rollups and deltas. It also lists the totals of all time, because a
 * fold may add one after each statement. A rule without a value has no row.
 */
const metricSql = `with ${scopesSql},
  spans as (
    select * from unnest($2::text[], $3::integer[], $4::smallint[], $5::integer[]) c (period, sign, span, day)
    union all
    select 'all', 1, ${longestSpan}::smallint, t.start - ${dayZero}
    from (select distinct start from source_totals where span = ${longestSpan}) t
  ),
  ranges as (select *, 1 as sign from unnest($6::text[], $7::date[], $8::date[]) c (period, first, last)),
  ${valuesSql},
  rows (id, ${sumFigures.join(', ')}) as (${rowsSql}),
  summed as (select k.id, ${sums} from scopes k left join rows f on f.id = k.id group by k.id)
  select r.id, (${valueSql})::text as value from summed s join alert_rules r on r.id = s.id where (${valueSql}) is not null`

/**
 * The value of each rule at the moment of the evaluation. Rates are in percent. The planner does not know how
 * many ids the rules name, and a nested loop over them takes minutes.
 */
export async function readMetrics(
  trx: Db,
  { at, ruleIds }: Evaluation,
): Promise<{ id: number; value: string }[]> {
  const { rows } = await sql<{ today: string }>`select ${at}::timestamptz::date::text as today`.execute(trx)
  await sql`select set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true)`.execute(
    trx,
  )
  const { spans, periods } = listPeriods(rows[0]?.today ?? '')
  const values = [
    ruleIds,
    spans.map(({ period }) => period),
    spans.map(({ sign }) => sign),
    spans.map(({ span }) => span),
    spans.map(({ start }) => start),
    periods.map(({ period }) => period),
    periods.map(({ start = '-infinity' }) => start),
    periods.map(({ end = 'infinity' }) => end),
  ]
  const figures = await queryRows<{ id: number; value: string }>(trx, metricSql, values)
  await sql`select set_config('enable_nestloop', 'on', true)`.execute(trx)
  return figures
}

/**
 * Rules whose figure is above or below their value, or differs from their own history by their percent. The history is
 * the mean of the values that the rule had at the same weekday and hour of the last four weeks. A value of an hour is
 * stored once, at its start. Hours of another time zone may begin at another minute. A rule without a value or a history finds
 * nothing new, and has no data for its open incident.
 */
export const findMetrics: RuleEvaluator = async (trx, { at, ruleIds }) => {
  const values = await readMetrics(trx, { at, ruleIds })
  const { rows } = await sql<Finding>`
    with v as (
      select r.*, n.value from unnest(${values.map(({ id }) => id)}::bigint[],
        ${values.map(({ value }) => value)}::numeric[]) n (id, value) join alert_rules r using (id)
    ), stored as (
      insert into alert_samples (rule_id, hour, value)
      select id, date_trunc('hour', ${at}::timestamptz), value from v where against = 'history' order by id
      on conflict (rule_id, hour) do nothing
    ), compared as (
      select v.*, round(h.mean, 2) as mean,
        case when v.against = 'value' then v.threshold
          when v.condition = 'below' then h.mean * (1 - v.threshold / 100)
          else h.mean * (1 + v.threshold / 100) end as bound
      from v cross join lateral (
        select avg(s.value) as mean
        from (select date_trunc('hour', ${at}::timestamptz) - make_interval(days => 7 * week) as hour
          from generate_series(1, 4) week) w
        join alert_samples s on s.rule_id = v.id and s.hour >= w.hour and s.hour < w.hour + interval '1 hour'
        where v.against = 'history'
      ) h
      where v.against = 'value' or h.mean <> 0
    )
    select id as "ruleId", 'rule' as "subjectKind", 0 as "subjectId", name as "subjectName", value::text as value,
      mean::text as base, false as "hasNoData"
    from compared
    where case condition when 'below' then value < bound or (against = 'history' and value = bound)
      else value > bound or (against = 'history' and value = bound) end
    union all
    ${findWithoutData(ruleIds, sql`i.rule_id not in (select id from compared)`)}
    order by 1 limit ${maxAlertFindings}`.execute(trx)
  return rows
}
