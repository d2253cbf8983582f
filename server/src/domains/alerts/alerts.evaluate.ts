import type { AlertKind } from '@karvon/contract/alerts/rules.ts'
import type { Db } from '../../platform/database/pool.ts'
import { canRetry } from '../../platform/database/pg-errors.ts'
import { inSavepoint } from '../../platform/database/savepoint.ts'
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

/** The evaluator of each kind of rules. */
const createEvaluators = (currency: string): Readonly<Record<AlertKind, RuleEvaluator>> => ({
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
  /** The errors of the kinds whose rules were not evaluated. */
  errors: unknown[]
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
    const dueRules = await lockDueRules(trx, at)
    await closeInactive(trx, at)
    const { rules, findings, errors } = await evaluateDueRules(trx, {
      at,
      dueRules,
      evaluators: createEvaluators(currency),
    })
    const evaluation = { at, ruleIds: listIds(rules) }
    // The end first: a subject that ended and started again has two incidents.
    const withoutDataIds = await endWithoutData(trx, evaluation, findings)
    const endedIds = [...withoutDataIds, ...(await endIncidents(trx, evaluation, findings))]
    const startedIds = await beginIncidents(trx, evaluation, findings)
    await insertReceivers(trx, at, startedIds)
    await queueAlertNotices(trx, { at, startedIds, endedIds })
    const slowIds = listIds(rules.filter(({ kind }) => slowKinds.has(kind)))
    const failedIds = listIds(dueRules.filter((rule) => !rules.includes(rule)))
    await postponeRules(trx, { at, failedIds, slowIds, minutes: slowMinutes })
    await deleteOldHistory(trx, at)
    return { rules: rules.length, startedIds, endedIds, errors }
  })
}

const listIds = (rules: readonly DueRule[]) => rules.map(({ id }) => id)

/**
 * Evaluates the due rules, one kind after the other. If the statement of a kind fails, such as one that takes too long, the rules of
 * the kind stay as they are, and those of the other kinds are evaluated. Answers the evaluated rules with what they found.
 */
async function evaluateDueRules(
  trx: Db,
  {
    at,
    dueRules,
    evaluators,
  }: { at: string; dueRules: readonly DueRule[]; evaluators: Readonly<Record<string, RuleEvaluator>> },
): Promise<{ rules: DueRule[]; findings: Finding[]; errors: unknown[] }> {
  const rules: DueRule[] = []
  const findings: Finding[] = []
  const errors: unknown[] = []
  for (const [kind, evaluate] of Object.entries(evaluators)) {
    const rulesOfKind = dueRules.filter((rule) => rule.kind === kind)
    if (rulesOfKind.length === 0) continue
    try {
      const findingsOfKind = await inSavepoint(trx, () =>
        evaluate(trx, { at, ruleIds: listIds(rulesOfKind) }),
      )
      findings.push(...findingsOfKind)
      rules.push(...rulesOfKind)
    } catch (error) {
      if (canRetry(error)) throw error
      errors.push(error)
    }
  }
  return { rules, findings, errors }
}
