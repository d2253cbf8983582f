import type { Db } from '../../platform/database/pool.ts'

/**
 * What a rule finds now. `subjectId` 0: the rule as a whole. `base`: what is usual. Numbers are decimal texts. `hasNoData`: the
 * rule has nothing to compare for the subject of an open incident, so the incident has not recovered.
 */
export interface Finding {
  ruleId: number
  subjectKind: string
  subjectId: number
  subjectName: string
  value: string
  base: string | null
  hasNoData?: boolean
}

/** The moment of an evaluation, by the clock of the database, and the rules to evaluate. */
export interface Evaluation {
  at: string
  ruleIds: readonly number[]
}

/** Evaluates all rules of one kind in one statement, and answers their findings. */
export type RuleEvaluator = (trx: Db, evaluation: Evaluation) => Promise<Finding[]>
