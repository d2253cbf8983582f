import type { AlertKind } from '@karvon/contract/alerts/rules.ts'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { deleteOldHistory, foldArrivals } from './alerts.arrivals.queries.ts'
import {
  findApproveDrops,
  findMoneyDifferences,
  findRefusedPostbacks,
  findUnmappedStatuses,
} from './alerts.states.queries.ts'
import { findFailingSyncs, findSilences, findSilentSources } from './alerts.feeds.queries.ts'
import type { RuleEvaluator, Finding } from './alerts.findings.ts'
import {
  beginIncidents,
  closeInactive,
  endIncidents,
  endWithoutData,
  insertReceivers,
  lockDueRules,
  postponeRules,
  queueAlertNotices,
  startEvaluation,
  type DueRule,
} from './alerts.incidents.queries.ts'
import { findMetrics } from './alerts.metric.queries.ts'

/** Kinds whose statements read more than a few rows are evaluated every ten minutes. */
const slowKinds: ReadonlySet<string> = new Set<AlertKind>(['approve_drop', 'money_difference'])
const slowMinutes = 10
const arrivalsBatch = 10_000

/** The statement of each kind. */
const createFinders = (currency: string): Readonly<Record<AlertKind, RuleEvaluator>> => ({
  sync_failing: findFailingSyncs,
  source_silent: findSilentSources,
  approve_drop: findApproveDrops,
  unmapped_statuses: findUnmappedStatuses,
  postbacks_refused: findRefusedPostbacks,
  money_difference: findMoneyDifferences(currency),
  metric: findMetrics,
  silence: findSilences,
})

/** The ids of the incidents of an evaluation. */
export interface EvaluationResult {
  rules: number
  startedIds: number[]
  endedIds: number[]
}

/**
 * Evaluates the rules that are due at the moment `at` of the database's clock. Everything that follows from
 * it is one transaction: incidents, inboxes and notices. A kill before its commit changes nothing, and the
 * next evaluation finds the same.
 */
export async function evaluateAlerts(
  db: Db,
  { at, currency }: { at: string; currency: string },
): Promise<EvaluationResult> {
  while ((await foldArrivals(db, arrivalsBatch)) === arrivalsBatch);
  return inTransaction(db, async (trx) => {
    await startEvaluation(trx, at)
    const rules = await lockDueRules(trx, at)
    await closeInactive(trx, at)
    const evaluation = { at, ruleIds: rules.map(({ id }) => id) }
    const findings = await findAll(trx, { at, rules, finders: createFinders(currency) })
    // The end first: a subject that ended and started again has two incidents.
    const withoutDataIds = await endWithoutData(trx, evaluation, findings)
    const endedIds = [...withoutDataIds, ...(await endIncidents(trx, evaluation, findings))]
    const startedIds = await beginIncidents(trx, evaluation, findings)
    await insertReceivers(trx, at, startedIds)
    await queueAlertNotices(trx, { at, startedIds, endedIds })
    const slowIds = rules.filter(({ kind }) => slowKinds.has(kind)).map(({ id }) => id)
    await postponeRules(trx, { at, slowIds, minutes: slowMinutes })
    await deleteOldHistory(trx, at)
    return { rules: rules.length, startedIds, endedIds }
  })
}

async function findAll(
  trx: Db,
  {
    at,
    rules,
    finders,
  }: { at: string; rules: readonly DueRule[]; finders: Readonly<Record<string, RuleEvaluator>> },
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [kind, find] of Object.entries(finders)) {
    const ruleIds = rules.filter((rule) => rule.kind === kind).map(({ id }) => id)
    if (ruleIds.length > 0) findings.push(...(await find(trx, { at, ruleIds })))
  }
  return findings
}
