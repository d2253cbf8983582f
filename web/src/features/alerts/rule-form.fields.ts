import {
  alertBases,
  alertConditions,
  alertFilters,
  alertMetrics,
  alertPeriods,
  type AlertFilter,
  type AlertKind,
  type AlertRule,
} from '@karvon/contract/alerts/rules.ts'
import { maxAlertName } from '@karvon/contract/lib/limits.ts'
import { createOptions } from '../../components/fields/options.ts'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import type { SelectOptions } from '../../resources/reference-options.ts'
import { alertRuleFormTexts as texts, alertTexts } from './alerts.texts.ts'
import type { RuleDraft } from './rule-draft.ts'

/** The rows that a rule can name. Null where the person names none. */
export interface RuleOptions {
  readonly filters: Readonly<Record<AlertFilter, SelectOptions | null>>
  readonly roles: SelectOptions | null
}

const halfWidth = { width: 'half' } as const

const toIdsName = (filter: AlertFilter) => `${filter}_ids` as const

const filterField = (filter: AlertFilter, { options, onSearch }: SelectOptions): FormField => ({
  name: toIdsName(filter),
  label: texts.filters[filter],
  kind: 'multiselect',
  placeholder: texts.any,
  options,
  ...(onSearch && { onSearch }),
})

const metricFields: readonly FormField[] = [
  {
    name: 'metric',
    label: texts.metric,
    kind: 'select',
    required: true,
    ...halfWidth,
    options: createOptions(alertMetrics, alertTexts.metrics),
  },
  {
    name: 'period',
    label: texts.period,
    kind: 'select',
    required: true,
    ...halfWidth,
    options: createOptions(alertPeriods, alertTexts.periods),
  },
  {
    name: 'condition',
    label: texts.condition,
    kind: 'select',
    required: true,
    ...halfWidth,
    options: createOptions(alertConditions, texts.conditions),
  },
  {
    name: 'against',
    label: texts.against,
    kind: 'select',
    required: true,
    ...halfWidth,
    hint: texts.historyHint,
    options: createOptions(alertBases, texts.bases),
  },
]

/** The fields of a rule of a kind. A built-in rule has neither a name nor filters. */
export function createRuleFields(kind: AlertKind, options: RuleOptions): FormField[] {
  const isOwn = kind === 'metric' || kind === 'silence'
  const { filters, roles } = options
  return [
    ...(isOwn
      ? [{ name: 'name', label: texts.name, kind: 'text', required: true, maxLength: maxAlertName } as const]
      : []),
    ...(kind === 'metric' ? metricFields : []),
    {
      name: 'threshold',
      label: texts.thresholds[kind],
      kind: 'money',
      required: true,
      ...halfWidth,
    },
    {
      name: 'hold_minutes',
      label: texts.hold,
      kind: 'number',
      required: true,
      ...halfWidth,
      hint: texts.holdHint,
    },
    ...(isOwn
      ? alertFilters.flatMap((filter) => {
          const rows = filters[filter]
          return rows === null ? [] : [filterField(filter, rows)]
        })
      : []),
    ...(roles === null
      ? []
      : [
          {
            name: 'receiver_role_ids',
            label: texts.roles,
            kind: 'multiselect',
            options: roles.options,
            ...(roles.onSearch && { onSearch: roles.onSearch }),
          } as const,
        ]),
    { name: 'is_active', label: texts.active, kind: 'checkbox' },
  ]
}

const defaults: Readonly<Record<string, FormValues>> = {
  metric: { metric: 'leads', period: 'today', condition: 'below', against: 'value', threshold: '' },
  silence: { threshold: '60' },
}

/** The values of the form: those of a rule, or of a new one. */
export function getRuleValues(kind: AlertKind, rule: AlertRule | null, draft: RuleDraft | null): FormValues {
  if (rule === null)
    return {
      hold_minutes: '0',
      is_active: true,
      receiver_role_ids: [],
      ...defaults[kind],
      ...(draft !== null && {
        metric: draft.metric,
        period: draft.period,
        ...Object.fromEntries(alertFilters.map((filter) => [toIdsName(filter), draft.filters[filter] ?? []])),
      }),
    }
  return {
    name: rule.name ?? '',
    metric: rule.metric ?? '',
    period: rule.period ?? '',
    condition: rule.condition ?? '',
    against: rule.against ?? '',
    threshold: String(rule.threshold),
    hold_minutes: String(rule.hold_minutes),
    ...Object.fromEntries(
      alertFilters.map((filter) => [toIdsName(filter), rule[`${filter}s`].map(({ id }) => String(id))]),
    ),
    receiver_role_ids: rule.receiver_role_ids.map(String),
    is_active: rule.is_active,
  }
}

const find = <Value extends string>(values: readonly Value[], value: FormValues[string] | undefined) =>
  values.find((item) => item === value)

/** The body of the call: the values of the fields that the form has. */
export function readRuleBody(fields: readonly FormField[], values: FormValues) {
  const names = new Set(fields.map(({ name }) => name))
  const number = (name: string) => {
    const text = readFieldText(values[name])
    return text === '' ? null : Number(text)
  }
  const listNames = [...alertFilters.map(toIdsName), 'receiver_role_ids'].filter((name) => names.has(name))
  const lists = listNames.map((name) => {
    const list = values[name]
    return [name, Array.isArray(list) ? list.map(Number) : []] as const
  })
  return {
    ...(names.has('name') && { name: readFieldText(values.name) }),
    ...(names.has('metric') && {
      metric: find(alertMetrics, values.metric) ?? null,
      period: find(alertPeriods, values.period) ?? null,
      condition: find(alertConditions, values.condition) ?? null,
      against: find(alertBases, values.against) ?? null,
    }),
    threshold: number('threshold') ?? 0,
    hold_minutes: number('hold_minutes') ?? 0,
    is_active: values.is_active === true,
    ...Object.fromEntries(lists),
  }
}
