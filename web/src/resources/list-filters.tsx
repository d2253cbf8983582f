import { DateRange } from '../components/date-range/date-range.tsx'
import { ToolbarItem } from '../components/display/layout.tsx'
import type { Option } from '../components/fields/radio-group.tsx'
import { Select } from '../components/fields/select.tsx'
import { defaultTexts, UiTextsContext } from '../components/texts.ts'
import { filterTexts } from './list-filters.texts.ts'
import { todayIn } from '../lib/format/moment.format.ts'
import { useNames, type Names } from './names.ts'
import { resourceTexts as texts } from './resource.texts.ts'
import { useSettings } from '../lib/settings.store.ts'
import type { TableControl } from '../lib/table-state.ts'

type FilterProps = {
  table: TableControl
  /** The filter's key in the URL. */
  name: string
  /** What it filters by, e.g. 'Source'. */
  label: string
  /** What stands for no choice, e.g. 'All sources'. */
  any: string
}

type ChoiceFilterProps = FilterProps & { options: readonly Option[] }

/** A filter by one of a few values. */
export function ChoiceFilter({ table, name, label, any, options }: ChoiceFilterProps) {
  return (
    <ToolbarItem width={140}>
      <Select
        label={texts.filterBy(label)}
        hideLabel
        searchable={false}
        emptyOption={any}
        options={options}
        value={table.state.filters[name] ?? ''}
        onChange={(value) => table.change({ filters: { [name]: value } })}
      />
    </ToolbarItem>
  )
}

type NameFilterProps = FilterProps & {
  names: Names
  /** The option with the value 0: rows that have none. */
  none?: string
}

/** A filter by one of many rows; what lies beyond the first of them is searched on the server. */
export function NameFilter({ table, name, label, any, names, none }: NameFilterProps) {
  const value = table.state.filters[name] ?? ''
  const { options, onSearch } = useNames(names, value)
  return (
    <ToolbarItem width={160}>
      <Select
        label={texts.filterBy(label)}
        hideLabel
        emptyOption={any}
        options={none === undefined ? options : [{ value: '0', label: none }, ...options]}
        onSearch={onSearch}
        value={value}
        onChange={(chosen) => table.change({ filters: { [name]: chosen } })}
      />
    </ToolbarItem>
  )
}

const widgetTexts = { ...defaultTexts, chooseDates: filterTexts.anyPeriod }

/** A filter by the inclusive days `from` and `to` of the URL. */
export function PeriodFilter({ table }: { table: TableControl }) {
  const { from, to } = table.state.filters
  return (
    <UiTextsContext value={widgetTexts}>
      <ToolbarItem width={250}>
        <DateRange
          value={from && to ? { start: from, end: to } : null}
          onChange={(value) => table.change({ filters: { from: value?.start, to: value?.end } })}
          today={todayIn(useSettings().time_zone)}
          clearable
        />
      </ToolbarItem>
    </UiTextsContext>
  )
}
