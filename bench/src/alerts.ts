import { alertPeriods } from '@karvon/contract/alerts/rules.ts'
import { maxAlertRules } from '@karvon/contract/lib/limits.ts'
import { evaluateAlerts } from '@karvon/server/domains/alerts/alerts.evaluate.ts'
import { readMetrics } from '@karvon/server/domains/alerts/alerts.metric.queries.ts'
import { openDb, openPool } from '@karvon/server/platform/database/pool.ts'
import { computeValue, countGroups, readRoleSources } from './alerts.recount.queries.ts'
import { createRules, deleteRules, resetRules, type BenchRule } from './alerts.rules.queries.ts'
import { computeSpread } from './figures.ts'
import { openLeadsCluster, type LeadsCluster } from './leads.cluster.ts'
import { span } from './leads.generate.queries.ts'
import { canReadTimes, listChildren, readTimesByProcess, sumBetween } from './processor.ts'
import { insertDeltas, pendingDeltas, type Duration } from './reports.product.ts'
import type { BenchExtent, BenchResult, StandaloneBench } from './standalone.ts'
import { readPostgresVersion, timezone } from './databases.ts'

type Pool = ReturnType<typeof openPool>

/** The longest evaluation, in milliseconds: rules are evaluated each minute. */
const maxEvaluation = 5000
/** Noon of the last day of the leads. */
const at = `${span.last}T12:00:00+05:00`

/** Evaluations of all rules that an installation can have, built-in ones included, and a recount of their values. */
export const alertsBench: StandaloneBench = {
  name: 'alerts',
  async run({ rounds, leads = 10_000_000 }: BenchExtent): Promise<BenchResult> {
    const cluster = await openLeadsCluster(leads, console.log)
    const pool = openPool(cluster.url, { timezone, statementTimeout: 0, max: 2 })
    try {
      await insertDeltas(pool)
      const rules = await createRules(pool, maxAlertRules, at)
      const times = await evaluateRounds(pool, cluster, rounds)
      const { compared, nonZero, seconds } = await compareValues(pool, rules)
      const { median, max } = computeSpread(times.map(({ ms }) => ms))
      const processor = computeSpread(times.map(({ cpu }) => cpu))
      const isMet = max <= maxEvaluation
      const text = [
        '## alerts',
        '',
        `${rules.length.toLocaleString('en')} rules of an admin and of 50 buyers over ${leads.toLocaleString('en')} leads: all metrics, periods, filters and`,
        `bases, with up to 50 values of a filter, and the built-in rules. ${pendingDeltas.toLocaleString('en')} deltas are not folded yet.`,
        '',
        '| | median, ms | maximum, ms |',
        '|---|--:|--:|',
        `| an evaluation, of ${rounds} | ${median.toFixed(0)} | ${max.toFixed(0)} |`,
        `| processor time in PostgreSQL | ${processor.median.toFixed(0)} | ${processor.max.toFixed(0)} |`,
        '',
        `${compared.toLocaleString('en')} values equal a GROUP BY over the leads, 0 differ; ${nonZero.toLocaleString('en')} of them are not 0. The GROUP BY took ${seconds.toFixed(0)} s.`,
        '',
        `Aim: at most ${maxEvaluation.toLocaleString('en')} ms: ${isMet ? 'met' : 'missed'}.`,
        '',
      ].join('\n')
      return { text, isMet, postgres: await readPostgresVersion(pool) }
    } finally {
      await deleteRules(pool)
      await pool.query('delete from lead_deltas')
      await pool.end()
      await cluster.stop()
    }
  },
}

/** Evaluates all rules in each round. Answers the time of each evaluation. */
async function evaluateRounds(pool: Pool, cluster: LeadsCluster, rounds: number): Promise<Duration[]> {
  const times: Duration[] = []
  for (let round = 0; round < rounds; round += 1) {
    await resetRules(pool, at)
    const processes = canReadTimes ? listChildren(cluster.pid()) : []
    const usedBefore = readTimesByProcess(processes)
    const startedAt = performance.now()
    const { rules, startedIds, endedIds } = await evaluateAlerts(openDb(pool), { at, currency: 'UZS' })
    const ms = performance.now() - startedAt
    const cpu = canReadTimes ? sumBetween(usedBefore, readTimesByProcess(processes)) : Number.NaN
    times.push({ ms, cpu })
    if (rules < maxAlertRules) throw new Error(`Only ${rules} rules were evaluated`)
    console.log(
      `  ${ms.toFixed(0)} ms: ${rules} rules, ${startedIds.length} incidents began, ${endedIds.length} ended`,
    )
  }
  return times
}

/** Compares the value of each rule with GROUP BY. Throws at the first difference. */
async function compareValues(
  pool: Pool,
  rules: readonly BenchRule[],
): Promise<{ compared: number; nonZero: number; seconds: number }> {
  const ruleValues = await readMetrics(openDb(pool), { at, ruleIds: rules.map(({ id }) => id) })
  const values = new Map(ruleValues.map(({ id, value }) => [id, Number(value)]))
  const roleSources = await readRoleSources(pool)
  const startedAt = performance.now()
  let nonZero = 0
  for (const period of alertPeriods) {
    const groups = await countGroups(pool, period, span.last)
    for (const rule of rules.filter((candidate) => candidate.period === period)) {
      const countedValue = computeValue(rule, groups, roleSources)
      const value = values.get(rule.id) ?? null
      // Quotients are rounded to two decimals.
      const differs =
        countedValue === null || value === null
          ? countedValue !== value
          : Math.abs(value - countedValue) > 0.005001
      if (value !== null && value !== 0) nonZero += 1
      if (differs) throw new Error(`${JSON.stringify(rule)}: the value is ${value}, counted ${countedValue}`)
    }
  }
  return { compared: rules.length, nonZero, seconds: (performance.now() - startedAt) / 1000 }
}
