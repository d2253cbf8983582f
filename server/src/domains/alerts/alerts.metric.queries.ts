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
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { dayZero } from '../rollups/rollups.ranges.ts'
import type { Evaluation, FindAll, Finding } from './alerts.findings.ts'
import { listSignedSpans } from './alerts.spans.ts'

/** The totals and the days of each period, as rows. */
function listPeriods(today: string) {
  const periods = alertPeriods.map((period) => {
    const { start: from = today, end: to = today } = resolvePeriod(period, today)
    return { period, from, to }
  })
  const spans = periods.flatMap(({ period, from, to }) =>
    listSignedSpans(from, to).map((span) => ({ ...span, period })),
  )
  return { periods, spans }
}

const figures = sumFigures
const signedFigures = figures.map((each) => `c.sign * f.${each}`).join(', ')

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
 * The scope of each rule decides what it reads: all of a source, an offer, a stream, or the streams of a buyer. A person who
 * is no admin reads own streams at the sources of the role.
 */
const scopesSql = `scopes as materialized (
  select r.id, r.period, r.source_id, r.offer_id, r.stream_id,
    case when w.code <> 'admin' then o.id else r.buyer_id end as buyer_id,
    case when w.code <> 'admin' then o.role_id end as role_id,
    case when r.stream_id is not null then 'stream' when w.code <> 'admin' or r.buyer_id is not null then 'buyer'
      when r.offer_id is not null then 'offer' else 'source' end as scope
  from alert_rules r join users o on o.id = r.owner_id join roles w on w.id = o.role_id
  where r.id = any($1::bigint[])
)`

const isSource = '(k.source_id is null or f.source_id = k.source_id)'
const isOffer = '(k.offer_id is null or f.offer_id = k.offer_id)'
const isOwn = `(k.buyer_id is null or s.user_id = k.buyer_id) and (k.role_id is null
  or f.source_id in (select a.source_id from role_source_access a where a.role_id = k.role_id))`

/** How the rows `f` of a scope are found: the rollup, and the joins from the rule `k`. */
const scopes = [
  { scope: 'source', table: 'source_totals', join: '', on: isSource },
  { scope: 'offer', table: 'offer_totals', join: '', on: `f.offer_id = k.offer_id and ${isSource}` },
  {
    scope: 'stream',
    table: 'stream_totals',
    join: 'join streams s on s.id = k.stream_id',
    on: `f.stream_id = s.id and ${isSource} and ${isOffer} and ${isOwn}`,
  },
  {
    scope: 'buyer',
    table: 'stream_totals',
    join: 'join streams s on s.user_id = k.buyer_id',
    on: `f.stream_id = s.id and ${isSource} and ${isOffer} and ${isOwn}`,
  },
]

const rowsSql = scopes
  .flatMap(({ scope, table, join, on }) => [
    `select k.id, ${signedFigures} from scopes k join spans c on c.period = k.period ${join}
      join ${table} f on f.span = c.span and f.start = ${dayZero} + c.day and ${on} where k.scope = '${scope}'`,
    `select k.id, ${signedFigures} from scopes k join ranges c on c.period = k.period ${join}
      join lead_deltas f on f.day between c.first and c.last and ${on}
      where k.scope = '${scope}'`,
  ])
  .join('\nunion all\n')

const sums = figures.map((each) => `coalesce(sum(f.${each}), 0) as ${each}`).join(', ')

/** Reads the figures of all rules in one statement, from rollups and deltas. A rule without a value has no row. */
const metricText = `with ${scopesSql},
  spans as (select * from unnest($2::text[], $3::integer[], $4::smallint[], $5::integer[]) c (period, sign, span, day)),
  ranges as (select *, 1 as sign from unnest($6::text[], $7::date[], $8::date[]) c (period, first, last)),
  rows (id, ${figures.join(', ')}) as (${rowsSql}),
  summed as (select k.id, ${sums} from scopes k left join rows f on f.id = k.id group by k.id)
  select r.id, (${valueSql})::text as value from summed s join alert_rules r on r.id = s.id where (${valueSql}) is not null`

/** The value of each rule at the moment of the evaluation. */
async function readMetrics(trx: Db, { at, ruleIds }: Evaluation): Promise<{ id: number; value: string }[]> {
  const { rows } = await sql<{ today: string }>`select ${at}::timestamptz::date::text as today`.execute(trx)
  const { spans, periods } = listPeriods(rows[0]?.today ?? '')
  const values = [
    ruleIds,
    spans.map(({ period }) => period),
    spans.map(({ sign }) => sign),
    spans.map(({ span }) => span),
    spans.map(({ start }) => start),
    periods.map(({ period }) => period),
    periods.map(({ from }) => from),
    periods.map(({ to }) => to),
  ]
  return (await trx.executeQuery<{ id: number; value: string }>(CompiledQuery.raw(metricText, values))).rows
}

/**
 * Rules whose figure is above or below their value, or differs from their own history by their percent. The history is the
 * mean of the values that the rule had at the same weekday and hour of the last four weeks. A value of an hour is stored
 * once, and rules without a history find nothing.
 */
export const findMetrics: FindAll = async (trx, { at, ruleIds }) => {
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
        select avg(s.value) as mean from alert_samples s
        where v.against = 'history' and s.rule_id = v.id and s.hour in (
          select date_trunc('hour', ${at}::timestamptz) - make_interval(days => 7 * week) from generate_series(1, 4) week)
      ) h
    )
    select id as "ruleId", 'rule' as "subjectKind", 0 as "subjectId", name as "subjectName", value::text as value,
      mean::text as base
    from compared
    where (against = 'value' or mean <> 0)
      and case condition when 'below' then value < bound or (against = 'history' and value = bound)
        else value > bound or (against = 'history' and value = bound) end
    order by id limit ${maxAlertFindings}`.execute(trx)
  return rows
}
