import {
  refusedAlertFilters,
  type AlertRuleBody,
  type AlertRuleChange,
  type RefusedAlertFilter,
} from '@karvon/contract/alerts/rules.ts'
import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { maxAlertRules, maxOwnAlertRules, reservedAlertRules } from '@karvon/contract/lib/limits.ts'
import { trimText } from '@karvon/contract/lib/trim-text.ts'
import { audit } from '../../platform/audit/audit.ts'
import { findChanges } from '../../platform/audit/changes.ts'
import { createConflictError } from '../../platform/database/conflict.ts'
import type { Db } from '../../platform/database/pool.ts'
import { AppError, invalid, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import {
  deleteRule,
  findHiddenFilters,
  findMissingRoles,
  insertRule,
  lockRule,
  lockRuleCounts,
  readOwner,
  type RuleOwner,
  updateRule,
} from './alerts.rules.queries.ts'

const noun = 'alert rule'
const metricFields = {
  metric: 'Metric',
  period: 'Period',
  condition: 'Condition',
  against: 'Compared with',
} as const
type MetricField = keyof typeof metricFields
const filterLabels: Readonly<Record<string, string>> = {
  source_ids: 'Source',
  offer_ids: 'Offer',
  stream_ids: 'Stream',
  buyer_ids: 'Buyer',
}
/** What an admin changes of a built-in rule. */
const builtInKeys: ReadonlySet<string> = new Set([
  'is_active',
  'threshold',
  'hold_minutes',
  'receiver_role_ids',
])
/** The fields that name rows and roles. */
const namedKeys = ['source_ids', 'offer_ids', 'stream_ids', 'buyer_ids', 'receiver_role_ids'] as const
type NamedIds = Partial<Record<(typeof namedKeys)[number], readonly number[]>>
/** What a rule can change without a new start. */
const quietKeys: ReadonlySet<string> = new Set(['name', 'receiver_role_ids'])

/** The values of a body. Errors: 422 for a filter that a rule cannot have. */
function readValues<Body extends { name?: string } & Partial<Record<RefusedAlertFilter, unknown>>>(
  body: Body,
): Omit<Body, RefusedAlertFilter> {
  const refusedNames = refusedAlertFilters.filter((name) => body[name] !== undefined)
  if (refusedNames.length > 0)
    throw invalid(refusedNames.map((name) => fieldError(name, 'filter_not_in_rules', { label: name })))
  return { ...body, ...(body.name !== undefined && { name: trimText(body.name) }) }
}

/** Creates a rule of a person. Errors: 409 for too many rules, 422. */
export async function createRule(trx: Db, body: AlertRuleBody, person: Identity): Promise<number> {
  const rule = readValues(body)
  checkMetric(rule)
  // First the rows that the rule names, then the table of rules: in the order of a deletion of such a row.
  await checkNamed(trx, rule, person)
  refuseTooManyRules(await lockRuleCounts(trx, person.userId), person)
  const id = await insertRule(trx, rule, person.userId)
  await audit(trx, { person, action: 'create', resource: 'alert-rules', rowId: id, after: rule })
  return id
}

/**
 * A person who is not an admin has at most a tenth of the rules that are free. So a few people never use up the rules of all,
 * and there are some for each further person. Errors: 409.
 */
function refuseTooManyRules({ own, all }: { own: number; all: number }, { isAdmin }: Identity): void {
  const free = maxAlertRules - all - (isAdmin ? 0 : reservedAlertRules)
  const maxOwn = isAdmin ? maxOwnAlertRules : Math.min(maxOwnAlertRules, Math.ceil(free / 10))
  if (free <= 0) throw new AppError('too_many_alert_rules', { max: all })
  if (own >= maxOwn) throw new AppError('too_many_alert_rules', { max: own })
}

/** Errors: 422 for a rule that is not whole. */
function checkMetric(rule: Partial<AlertRuleBody> & Pick<AlertRuleBody, 'kind' | 'threshold'>): void {
  const isMetric = rule.kind === 'metric'
  const wrongKeys = (Object.keys(metricFields) as MetricField[]).filter(
    (key) => ((rule[key] ?? null) !== null) !== isMetric,
  )
  if (wrongKeys.length > 0)
    throw invalid(
      wrongKeys.map((key) =>
        fieldError(key, isMetric ? 'required' : 'not_valid', { label: metricFields[key] }),
      ),
    )
  if (rule.kind === 'silence' && rule.threshold < 1)
    throw invalid([fieldError('threshold', 'not_valid', { label: 'Minutes' })])
}

/** Errors: 422 for rows and roles that the owner of a rule may not name. */
async function checkNamed(trx: Db, named: NamedIds, owner: RuleOwner): Promise<void> {
  const hiddenFilters = await findHiddenFilters(trx, named, owner.isAdmin ? null : owner)
  if (hiddenFilters.length > 0)
    throw invalid(
      hiddenFilters.map((key) => fieldError(key, 'reference_missing', { label: filterLabels[key] ?? key })),
    )
  await checkRoles(trx, named.receiver_role_ids ?? [], owner)
}

/** The ids of `values` that the old rule does not name. A person keeps those that they may not name any more: the rule then finds nothing. */
const findNewIds = (oldRule: Required<NamedIds>, values: NamedIds): NamedIds =>
  Object.fromEntries(namedKeys.map((key) => [key, values[key]?.filter((id) => !oldRule[key].includes(id))]))

async function checkRoles(trx: Db, ids: readonly number[], { isAdmin }: RuleOwner): Promise<void> {
  const missingRoles = isAdmin ? await findMissingRoles(trx, ids) : ids
  if (missingRoles.length > 0)
    throw invalid([fieldError('receiver_role_ids', 'reference_missing', { label: 'Roles' })])
}

/** Changes a rule. Errors: 404, 409 for a newer version and for what is fixed in a built-in rule, 422. */
export async function changeRule(
  trx: Db,
  { id, body, person }: { id: number; body: AlertRuleChange; person: Identity },
): Promise<void> {
  const { updated_at: expectedUpdatedAt, ...values } = readValues(body)
  const oldRule = await lockRule(trx, id, { person, expectedUpdatedAt })
  if (oldRule === undefined) throw notFound(noun)
  if (!oldRule.is_same_version) throw createConflictError(noun)
  const { keys, before, after } = findChanges(oldRule, values)
  if (keys.length === 0) return
  if (oldRule.owner_id === null) {
    if (keys.some((key) => !builtInKeys.has(key))) throw new AppError('built_in_alert_rule')
  } else {
    checkMetric({ ...getOwnRule(oldRule), ...values } as AlertRuleBody)
  }
  // An admin changes rules of other people. Their rights decide what the rule finds.
  const { owner_id: ownerId } = oldRule
  const owner = ownerId === null || ownerId === person.userId ? person : await readOwner(trx, ownerId)
  await checkNamed(trx, findNewIds(oldRule, values), owner)
  await updateRule(trx, id, {
    values: after,
    isReset: keys.some((key) => !quietKeys.has(key)),
  })
  await audit(trx, { person, action: 'update', resource: 'alert-rules', rowId: id, before, after })
}

type LockedRule = NonNullable<Awaited<ReturnType<typeof lockRule>>>

const getOwnRule = ({ kind, metric, period, condition, against, threshold, ...rest }: LockedRule) => ({
  kind,
  metric,
  period,
  condition,
  against,
  threshold,
  source_ids: rest.source_ids,
  offer_ids: rest.offer_ids,
  stream_ids: rest.stream_ids,
  buyer_ids: rest.buyer_ids,
})

/** Deletes a rule with its incidents. Errors: 404, 409 for a built-in rule. */
export async function removeRule(trx: Db, id: number, person: Identity): Promise<void> {
  const oldRule = await lockRule(trx, id, { person })
  if (oldRule === undefined) throw notFound(noun)
  if (oldRule.owner_id === null) throw new AppError('built_in_alert_rule')
  await deleteRule(trx, id)
  await audit(trx, {
    person,
    action: 'delete',
    resource: 'alert-rules',
    rowId: id,
    before: getOwnRule(oldRule),
  })
}
