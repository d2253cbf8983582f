import {
  alertBases,
  alertConditions,
  alertMetrics,
  alertPeriods,
  type AlertKind,
  type AlertRule,
} from '@karvon/contract/alerts/rules.ts'
import { maxAlertName } from '@karvon/contract/lib/limits.ts'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import type { SelectOptions } from '../../resources/reference-options.ts'
import { alertRuleFormTexts as texts, alertTexts } from './alerts.texts.ts'

/** The rows that a rule can name. Null where the person names none. */
export interface RuleOptions {
  readonly sources: SelectOptions
  readonly offers: SelectOptions
  readonly streams: SelectOptions
  readonly buyers: SelectOptions | null
  readonly roles: SelectOptions | null
}

const half = { width: 'half' } as const

const toOptions = <Value extends string>(values: readonly Value[], labels: Readonly<Record<Value, string>>) =>
  values.map((value) => ({ value, label: labels[value] }))

const reference = (name: string, label: string, { options, onSearch }: SelectOptions): FormField => ({
  name,
  label,
  kind: 'select',
  ...half,
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
    ...half,
    options: toOptions(alertMetrics, alertTexts.metrics),
  },
  {
    name: 'period',
    label: texts.period,
    kind: 'select',
    required: true,
    ...half,
    options: toOptions(alertPeriods, alertTexts.periods),
  },
  {
    name: 'condition',
    label: texts.condition,
    kind: 'select',
    required: true,
    ...half,
    options: toOptions(alertConditions, texts.conditions),
  },
  {
    name: 'against',
    label: texts.against,
    kind: 'select',
    required: true,
    ...half,
    hint: texts.historyHint,
    options: toOptions(alertBases, texts.bases),
  },
]

/** The fields of a rule of a kind. A built-in rule has neither a name nor filters. */
export function createRuleFields(kind: AlertKind, options: RuleOptions): FormField[] {
  const isOwn = kind === 'metric' || kind === 'silence'
  const { sources, offers, streams, buyers, roles } = options
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
      ...half,
    },
    {
      name: 'hold_minutes',
      label: texts.hold,
      kind: 'number',
      required: true,
      ...half,
      hint: texts.holdHint,
    },
    ...(isOwn
      ? [
          reference('source_id', texts.source, sources),
          reference('offer_id', texts.offer, offers),
          reference('stream_id', texts.stream, streams),
          ...(buyers === null ? [] : [reference('buyer_id', texts.buyer, buyers)]),
        ]
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
export function getRuleValues(kind: AlertKind, rule: AlertRule | null): FormValues {
  if (rule === null) return { hold_minutes: '0', is_active: true, receiver_role_ids: [], ...defaults[kind] }
  const id = (row: { id: number } | null) => (row === null ? '' : String(row.id))
  return {
    name: rule.name ?? '',
    metric: rule.metric ?? '',
    period: rule.period ?? '',
    condition: rule.condition ?? '',
    against: rule.against ?? '',
    threshold: String(rule.threshold),
    hold_minutes: String(rule.hold_minutes),
    source_id: id(rule.source),
    offer_id: id(rule.offer),
    stream_id: id(rule.stream),
    buyer_id: id(rule.buyer),
    receiver_role_ids: rule.receiver_role_ids.map(String),
    is_active: rule.is_active,
  }
}

const find = <Value extends string>(values: readonly Value[], value: FormValues[string] | undefined) =>
  values.find((each) => each === value)

/** The body of the call: the values of the fields that the form has. */
export function readRuleBody(fields: readonly FormField[], values: FormValues) {
  const names = new Set(fields.map(({ name }) => name))
  const number = (name: string) => {
    const text = readFieldText(values[name])
    return text === '' ? null : Number(text)
  }
  const { receiver_role_ids: roles } = values
  const ids = ['source_id', 'offer_id', 'stream_id', 'buyer_id'].filter((name) => names.has(name))
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
    ...Object.fromEntries(ids.map((name) => [name, number(name)])),
    ...(Array.isArray(roles) && names.has('receiver_role_ids') && { receiver_role_ids: roles.map(Number) }),
  }
}
