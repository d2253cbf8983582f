import { useState } from 'react'
import { DateRange } from '../components/date-range/date-range.tsx'
import { ToolbarItem } from '../components/display/layout.tsx'
import { createOptions, type Option } from '../components/fields/options.ts'
import { Select } from '../components/fields/select.tsx'
import { defaultTexts, UiTextsContext } from '../components/texts.ts'
import { filterTexts } from './list-filters.texts.ts'
import { formatDay } from '../lib/format/day.format.ts'
import { getToday } from '../lib/format/date-time.format.ts'
import { FilterGroup, getFilterWidth } from './filter-group.tsx'
import { useOptions, type OptionSource } from './reference-options.ts'
import { resourceTexts as texts } from './resource.texts.ts'
import { useSettings } from '../lib/settings.store.ts'
import { getPeriodFilters, type TableControl } from '../lib/table-state.ts'

type FilterProps = {
  table: TableControl
  /** The filter's key in the URL. */
  name: string
  /** The name of what it filters, e.g. 'Source'. */
  label: string
  /** The label while nothing is chosen, e.g. 'All sources'. */
  any: string
}

type ChoiceFilterProps = FilterProps & {
  options: readonly Option[]
  /** The key of a filter whose value belongs to the choice. Another choice removes it. */
  dependent?: string
}

/** A filter by one of a few values. */
export function ChoiceFilter({ table, name, label, any, options, dependent }: ChoiceFilterProps) {
  return (
    <ToolbarItem width={getFilterWidth(any, 140)}>
      <Select
        label={texts.filterBy({ label: label.toLowerCase() })}
        hideLabel
        searchable={false}
        emptyOption={any}
        options={options}
        value={table.state.filters[name] ?? ''}
        onChange={(value) =>
          table.change({ filters: { ...(dependent && { [dependent]: '' }), [name]: value } })
        }
      />
    </ToolbarItem>
  )
}

export type ReferenceFilterProps = FilterProps & {
  optionSource: OptionSource
  /** The label of the option 0: rows that have none. */
  none?: string | undefined
}

/**
 * What a filter by rows shows and does. The first rows load when the pointer or the focus comes near, or when one is chosen.
 * Rows beyond them are searched on the server.
 */
export function useReferenceFilter(
  { table, name, label, any, optionSource, none }: ReferenceFilterProps,
  ids: readonly string[],
) {
  const [isNear, setIsNear] = useState(false)
  const { options, onSearch, isLoading } = useOptions(optionSource, ids, isNear || ids.length > 0)
  return {
    item: { width: getFilterWidth(any, 160), onNear: () => setIsNear(true) },
    select: {
      label: texts.filterBy({ label: label.toLowerCase() }),
      hideLabel: true,
      onSearch,
      loading: isLoading,
    },
    options: none === undefined ? options : [{ value: '0', label: none }, ...options],
    change: (value: string) => table.change({ filters: { [name]: value } }),
  }
}

/** A filter by one of many rows. */
export function ReferenceFilter(props: ReferenceFilterProps) {
  const value = props.table.state.filters[props.name] ?? ''
  const { item, select, options, change } = useReferenceFilter(props, value === '' ? [] : [value])
  return (
    <ToolbarItem {...item}>
      <Select {...select} emptyOption={props.any} options={options} value={value} onChange={change} />
    </ToolbarItem>
  )
}

const widgetTexts = { ...defaultTexts, chooseDates: filterTexts.anyPeriod }

/** A filter by the days `from` and `to` of the URL, both included. An address may have one of them. `width` is in pixels. */
export function PeriodFilter({ table, width = 250 }: { table: TableControl; width?: number }) {
  const { from, to } = table.state.filters
  const day = formatDay(from ?? to)
  return (
    <UiTextsContext value={widgetTexts}>
      <ToolbarItem width={width}>
        <DateRange
          value={from && to ? { start: from, end: to } : null}
          halfText={from ? filterTexts.from({ day }) : to && filterTexts.until({ day })}
          onChange={(value) => table.change({ filters: getPeriodFilters(value) })}
          today={getToday(useSettings().time_zone)}
          clearable
        />
      </ToolbarItem>
    </UiTextsContext>
  )
}

type LinkedFilterProps = FilterProps & {
  /** The value as text. */
  formatValue: (value: string) => string
}

/** A filter that a link from another page sets. It shows its value, which can be removed. */
export function LinkedFilter({ formatValue, ...props }: LinkedFilterProps) {
  const value = props.table.state.filters[props.name]
  if (value === undefined) return null
  return <ChoiceFilter {...props} options={[{ value, label: formatValue(value) }]} />
}

/** A filter of a list as data, or 'period' for {@link PeriodFilter}. */
export type ListFilter =
  | Omit<ChoiceFilterProps, 'table'>
  | Omit<ReferenceFilterProps, 'table'>
  | Omit<LinkedFilterProps, 'table'>
  | 'period'

/** A filter by a property that a row has or not, with the labels of both. */
export const createFlagFilter = (
  name: string,
  { yes, no, ...labels }: { label: string; any: string; yes: string; no: string },
): ListFilter => ({
  name,
  options: createOptions(['true', 'false'], { true: yes, false: no }),
  ...labels,
})

/** The keys of the URL that belong to a filter. */
export const getFilterKeys = (filter: ListFilter): string[] =>
  filter === 'period' ? ['from', 'to'] : [filter.name]

/** The filters of a list, in their order. */
export function ListFilters({ table, filters }: { table: TableControl; filters: readonly ListFilter[] }) {
  const shownFilters = filters.filter(
    (filter) => filter === 'period' || !('formatValue' in filter) || filter.name in table.state.filters,
  )
  const names = shownFilters.map((filter) => (filter === 'period' ? 'from' : filter.name))
  return (
    <FilterGroup table={table} names={names}>
      {shownFilters.map((filter) => {
        if (filter === 'period') return <PeriodFilter key="period" table={table} />
        if ('options' in filter) return <ChoiceFilter key={filter.name} table={table} {...filter} />
        if ('formatValue' in filter) return <LinkedFilter key={filter.name} table={table} {...filter} />
        return <ReferenceFilter key={filter.name} table={table} {...filter} />
      })}
    </FilterGroup>
  )
}
