import { Type, type Static } from 'typebox'
import { periodNames, type PeriodName } from '../lib/period-names.ts'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxFilterValues, maxAlertHold, maxAlertName, maxAlertRoles, maxText } from '../lib/limits.ts'
import { Money } from '../lib/money.ts'
import { pageSchema } from '../lib/page.ts'
import { reportColumns } from '../lib/report-columns.ts'
import { ratios, type RatioName, type SumFigure } from '../lib/report-ratios.ts'
import { expectedUpdatedAt, listQuery } from '../lib/resource.ts'
import { DateTime, nullable, NullableText, OneOf, visibleLine } from '../lib/schemas.ts'

/**
 * The rules that an installation has from the start, one of each kind. Admins change their threshold and switch them
 * off.
 */
const builtInAlertKinds = [
  'sync_failing',
  'source_silent',
  'approve_drop',
  'unmapped_statuses',
  'postbacks_refused',
  'money_difference',
] as const
/** The kinds of rules that people create: a figure that is compared with a bound, and leads that do not arrive. */
const ownAlertKinds = ['metric', 'silence'] as const
export const alertKinds = [...builtInAlertKinds, ...ownAlertKinds] as const
export type AlertKind = (typeof alertKinds)[number]

/** The figures that a rule can compare: the metrics of Explore, with rates in percent. */
export const alertMetrics: readonly AlertMetric[] = [
  'leads',
  ...reportColumns,
  'profit',
  'hold_amount',
  ...(Object.keys(ratios) as RatioName[]),
]
export type AlertMetric = SumFigure | RatioName
/** The periods of Explore. */
export const alertPeriods = periodNames
export type AlertPeriod = PeriodName
export const alertConditions = ['below', 'above'] as const
/** `history`: the mean of the rule's own values at the same weekday and hour of the last four weeks. */
export const alertBases = ['value', 'history'] as const

/** The filters of Explore that a rule has: those that rollups answer for many rules at once. */
export const alertFilters = ['source', 'offer', 'stream', 'buyer'] as const
export type AlertFilter = (typeof alertFilters)[number]
/** The filters of Explore that a rule cannot have. */
export const refusedAlertFilters = [
  'day',
  'week',
  'month',
  'weekday',
  'hour',
  'status',
  'region',
  'cancel_reason',
  'sub1',
  'sub2',
  'sub3',
] as const
export type RefusedAlertFilter = (typeof refusedAlertFilters)[number]

/** A row that a rule names. Null for the name of one that its owner may not see now, and of id 0. */
const FilterRow = Type.Object({ id: Type.Integer(), name: NullableText })
export type AlertFilterRow = Static<typeof FilterRow>
const filterRows = Type.Array(FilterRow, { maxItems: maxFilterValues })

/**
 * A rule. `threshold` depends on the kind: minutes without a good run (`sync_failing`), leads that usually come in the
 * silence (`source_silent`), percent of the fall (`approve_drop`), statuses (`unmapped_statuses`), refused postbacks in
 * an hour (`postbacks_refused`), money (`money_difference`), minutes (`silence`), the figure or the percent of the
 * difference from the history (`metric`). A built-in rule has no owner and no name. `hold_minutes`: how long the
 * condition must hold. `muted`: the caller gets nothing of the rule. `open`: its open incidents.
 */
export const AlertRule = Type.Object({
  id: Type.Integer(),
  kind: OneOf(alertKinds),
  name: NullableText,
  owner: nullable(Named),
  is_active: Type.Boolean(),
  metric: nullable(OneOf(alertMetrics)),
  period: nullable(OneOf(alertPeriods)),
  condition: nullable(OneOf(alertConditions)),
  against: nullable(OneOf(alertBases)),
  threshold: Type.Number(),
  hold_minutes: Type.Integer(),
  sources: filterRows,
  offers: filterRows,
  streams: filterRows,
  buyers: filterRows,
  receiver_role_ids: Type.Array(Type.Integer(), { maxItems: maxAlertRoles }),
  muted: Type.Boolean(),
  open: Type.Integer(),
  created_at: DateTime,
  updated_at: DateTime,
})
export type AlertRule = Static<typeof AlertRule>

const Name = Type.String({ minLength: 1, maxLength: maxAlertName, pattern: visibleLine })
const Hold = Type.Integer({ minimum: 0, maximum: maxAlertHold })
const Roles = Type.Array(Id, { maxItems: maxAlertRoles, uniqueItems: true })
const FilterIds = Type.Optional(Type.Array(Id, { maxItems: maxFilterValues, uniqueItems: true }))
const RefusedFilter = Type.Optional(
  Type.Union([Type.String({ maxLength: maxText }), Id, Type.Array(Id, { maxItems: maxFilterValues })], {
    description: 'Refused: a rule has no such filter',
  }),
)
/** An empty list: all. Id 0 of an offer, a stream or a buyer: leads without one. */
const filters = {
  source_ids: FilterIds,
  offer_ids: FilterIds,
  stream_ids: FilterIds,
  buyer_ids: FilterIds,
  ...(Object.fromEntries(refusedAlertFilters.map((name) => [name, RefusedFilter])) as Record<
    RefusedAlertFilter,
    typeof RefusedFilter
  >),
}

/**
 * `metric`, `period`, `condition` and `against` are for the kind `metric` alone, which needs them. `receiver_role_ids`
 * are for admins alone.
 */
const AlertRuleBody = Type.Object({
  kind: OneOf(ownAlertKinds),
  name: Name,
  is_active: Type.Optional(Type.Boolean()),
  metric: Type.Optional(nullable(OneOf(alertMetrics))),
  period: Type.Optional(nullable(OneOf(alertPeriods))),
  condition: Type.Optional(nullable(OneOf(alertConditions))),
  against: Type.Optional(nullable(OneOf(alertBases))),
  threshold: Money,
  hold_minutes: Type.Optional(Hold),
  receiver_role_ids: Type.Optional(Roles),
  ...filters,
})
export type AlertRuleBody = Static<typeof AlertRuleBody>

const AlertRuleChange = Type.Object({
  name: Type.Optional(Name),
  is_active: Type.Optional(Type.Boolean()),
  metric: Type.Optional(nullable(OneOf(alertMetrics))),
  period: Type.Optional(nullable(OneOf(alertPeriods))),
  condition: Type.Optional(nullable(OneOf(alertConditions))),
  against: Type.Optional(nullable(OneOf(alertBases))),
  threshold: Type.Optional(Money),
  hold_minutes: Type.Optional(Hold),
  receiver_role_ids: Type.Optional(Roles),
  ...filters,
  updated_at: expectedUpdatedAt,
})
export type AlertRuleChange = Static<typeof AlertRuleChange>

const path = '/api/alert-rules/'
const params = Type.Object({ id: Id })

/** Admins see all rules, others their own. `search` matches a part of the name. */
export const listAlertRules = call({
  id: 'alert-rules.list',
  summary: 'List your alert rules; for admins all rules',
  method: 'GET',
  path,
  feature: 'alerts',
  guard: 'person',
  query: listQuery(['id', 'name', 'kind', 'is_active', 'created_at'], {
    id: Id,
    name: Type.String({ maxLength: maxAlertName }),
    kind: OneOf(alertKinds),
    is_active: Type.Boolean(),
    metric: OneOf(alertMetrics),
    period: OneOf(alertPeriods),
    condition: OneOf(alertConditions),
    against: OneOf(alertBases),
    threshold: Money,
    hold_minutes: Hold,
    created_at: DateTime,
    updated_at: DateTime,
    owner_id: Id,
  }),
  answer: pageSchema(AlertRule),
})

/**
 * 422 for a filter by what the person may not see, and for one that a rule cannot have; 409 when the person or the
 * installation has too many rules.
 */
export const createAlertRule = call({
  id: 'alert-rules.create',
  summary: 'Create an alert rule',
  method: 'POST',
  path,
  feature: 'alerts',
  guard: 'person',
  status: 201,
  body: AlertRuleBody,
  answer: AlertRule,
})

/**
 * A change of anything but the name and the receivers closes the open incidents of the rule without a message. Of a
 * built-in rule, admins change `is_active`, `threshold`, `hold_minutes` and `receiver_role_ids` alone.
 */
export const updateAlertRule = call({
  id: 'alert-rules.update',
  summary: 'Change an alert rule',
  method: 'PUT',
  path: `${path}:id/`,
  feature: 'alerts',
  guard: 'person',
  params,
  body: AlertRuleChange,
  answer: AlertRule,
})

/** 409 for a built-in rule. */
export const deleteAlertRule = call({
  id: 'alert-rules.delete',
  summary: 'Delete an alert rule with its incidents',
  method: 'DELETE',
  path: `${path}:id/`,
  feature: 'alerts',
  guard: 'person',
  params,
  answer: Type.Object({ id: Type.Integer() }),
})

/** 404 for a rule whose alerts the person does not get. */
export const muteAlertRule = call({
  id: 'alert-rules.mute',
  summary: 'Turn the alerts of a rule off for yourself, or on again',
  method: 'PUT',
  path: `${path}:id/mute/`,
  feature: 'alerts',
  guard: 'person',
  params,
  body: Type.Object({ muted: Type.Boolean() }),
  answer: Type.Object({ id: Type.Integer(), muted: Type.Boolean() }),
})

export const alertRuleCalls = [
  listAlertRules,
  createAlertRule,
  updateAlertRule,
  deleteAlertRule,
  muteAlertRule,
]
