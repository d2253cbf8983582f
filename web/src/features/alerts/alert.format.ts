import type { Alert } from '@karvon/contract/alerts/inbox.ts'
import { alertFilters, type AlertFilter, type AlertRule } from '@karvon/contract/alerts/rules.ts'
import { resolvePeriod } from '@karvon/contract/explore/explore.periods.ts'
import { nameCurrencies } from '@karvon/contract/lib/currency-names.ts'
import { joinFilter } from '@karvon/contract/lib/filter-values.ts'
import { addDays } from '@karvon/contract/lib/day-ranges.ts'
import { formatNumber, unitSeparator } from '../../lib/format/number.format.ts'
import { getSettings } from '../../lib/settings.store.ts'
import type { ListSearch } from '../../lib/table-state.ts'
import { readCurrencies } from '../reports/currency-note.tsx'
import { alertRuleTexts, alertTexts as texts } from './alerts.texts.ts'

const format = (value: number | null): string =>
  value === null ? texts.none : formatNumber(value, undefined, '.')

/** A number of minutes: "45 min", "3 h 5 min", "2 d 4 h". */
function formatDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return texts.minutes({ minutes })
  if (hours < 48) return texts.hours({ hours, minutes: minutes % 60 })
  return texts.days({ days: Math.floor(hours / 24), hours: hours % 24 })
}

/** What an alert says, as in its message. A difference always has a currency, a figure unless all amounts are in the main one. */
export function formatAlert(alert: Alert): string {
  const { rule, subject, value, threshold, base } = alert
  const currencies = readCurrencies(alert)
  const unit = nameCurrencies(currencies, getSettings().currency)
  const difference =
    rule.kind === 'money_difference' ? currencies.map((code) => `${unitSeparator}${code}`) : []
  const params = {
    subject: subject.name,
    value: [format(value), ...difference].join(''),
    base: format(base),
    threshold: format(threshold),
    duration: formatDuration(Math.max(0, value)),
    metric: rule.metric === null ? '' : `${texts.metrics[rule.metric]}${unit && `, ${unit}`}`,
    period: rule.period === null ? '' : texts.periods[rule.period],
  }
  return rule.against === 'history' ? texts.metricHistory(params) : texts.began[rule.kind](params)
}

/** The name of a rule, that of its kind for a built-in one. */
export const formatRuleName = ({ name, kind }: Pick<AlertRule, 'name' | 'kind'>): string =>
  name ??
  (kind === 'metric' || kind === 'silence' ? alertRuleTexts.kinds[kind] : alertRuleTexts.builtIn[kind])

/** When a rule finds something. */
export function formatCondition({ kind, threshold, metric, period, condition, against }: AlertRule): string {
  const { conditions } = alertRuleTexts
  if (kind !== 'metric') return conditions[kind]({ threshold: format(threshold) })
  const name = `${condition ?? 'below'}${against === 'history' ? 'History' : ''}` as const
  return conditions[name]({
    threshold: format(threshold),
    metric: metric === null ? '' : texts.metrics[metric],
    period: period === null ? '' : texts.periods[period],
  })
}

/** A page with the figure of an alert. */
export interface FigureLink {
  readonly to: string
  readonly search: ListSearch
}

/**
 * Where the figure of an alert is. `day`: the day on which the alert began. Null for a person who may not open the page: pages
 * of accounts, mappings, postbacks and differences are those of admins.
 */
export function findFigure(
  { rule, subject }: Alert,
  { day, admin }: { day: string; admin: boolean },
): FigureLink | null {
  const id = String(subject.id)
  switch (rule.kind) {
    case 'metric':
      return { to: '/explore', search: findExploreSearch(rule, day) }
    case 'silence': {
      const filters = listFilters(rule).map(([name, value]) => [`${name}_id`, value] as const)
      return { to: '/leads', search: Object.fromEntries(filters) }
    }
    case 'source_silent':
      return admin ? { to: '/leads', search: { source_id: id } } : null
    case 'approve_drop':
      return admin
        ? {
            to: '/explore',
            search: {
              rows: 'day',
              metrics: 'approve_rate,leads',
              stream: id,
              from: addDays(day, -31),
              to: day,
            },
          }
        : null
    case 'unmapped_statuses':
      return admin ? { to: '/leads', search: { tab: 'unmapped', source_id: id } } : null
    case 'postbacks_refused':
      return admin ? { to: '/leads', search: { tab: 'outgoing', template_id: id, status: 'refused' } } : null
    case 'money_difference':
    case 'sync_failing':
      return admin ? findAccount(rule.kind, subject) : null
  }
}

/** The filters of a rule as the values of an address. */
const listFilters = (rule: Pick<Alert['rule'], `${AlertFilter}_ids`>): [AlertFilter, string][] =>
  alertFilters.flatMap((name): [AlertFilter, string][] => {
    const ids = rule[`${name}_ids`].map(String)
    return ids.length === 0 ? [] : [[name, joinFilter(ids, 'number')]]
  })

/** The days and the filters of a figure, from the day on which its alert began. */
function findExploreSearch(rule: Alert['rule'], day: string): ListSearch {
  const { start: from, end: to } = resolvePeriod(rule.period ?? 'today', day)
  return {
    rows: 'day',
    metrics: rule.metric ?? 'leads',
    ...(from && to ? { from, to } : { period: 'all' }),
    ...Object.fromEntries(listFilters(rule)),
  }
}

function findAccount(
  kind: 'money_difference' | 'sync_failing',
  { kind: accountKind, id, name }: Alert['subject'],
): FigureLink {
  if (accountKind === 'courier')
    return kind === 'sync_failing'
      ? { to: '/settings/courier', search: { search: name } }
      : { to: '/settlements', search: { tab: 'differences', courier_account_id: String(id), status: 'open' } }
  return kind === 'sync_failing'
    ? { to: '/users', search: { tab: 'source-credentials', search: name } }
    : { to: '/statistics', search: { tab: 'money' } }
}
