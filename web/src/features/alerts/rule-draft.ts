import {
  alertFilters,
  type AlertFilter,
  type AlertMetric,
  type AlertPeriod,
} from '@karvon/contract/alerts/rules.ts'

/** A new rule of a figure as Explore shows it. */
export interface RuleDraft {
  readonly metric: AlertMetric
  readonly period: AlertPeriod
  /** The ids that each filter has. */
  readonly filters: Readonly<Partial<Record<AlertFilter, readonly string[]>>>
  /** The visible names of the filters that a rule cannot have. */
  readonly refusedFilters: readonly string[]
}

export const isAlertFilter = (name: string): name is AlertFilter =>
  alertFilters.some((filter) => filter === name)
