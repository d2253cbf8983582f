import { lazy } from 'react'
import { changeFilter, readFilters } from '@karvon/contract/explore/explore.filters.ts'
import { dimensionNames, dimensions } from '@karvon/contract/explore/explore.dimensions.ts'
import { leadColumnFilters } from '@karvon/contract/leads/leads.ts'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { FilterGroup } from '../../resources/filter-group.tsx'
import { ChoiceFilter, PeriodFilter } from '../../resources/list-filters.tsx'
import { ReferencesFilter } from '../../resources/references-filter.tsx'
import type { TableControl } from '../../lib/table-state.ts'
import { DimensionFilters } from '../explore/explore.filters.tsx'
import { exploreFilterTexts } from '../explore/explore.filters.texts.ts'
import type { LeadOptionSources } from '../reports/lead-options.ts'
import { leadStatusTexts } from './lead-status.texts.ts'
import { leadTexts as texts } from './leads.texts.ts'

const KeyFilter = lazy(async () => ({
  default: (await import('../explore/explore.key-filter.tsx')).KeyFilter,
}))

const columnOptions = leadColumnFilters.map((column) => ({
  value: column,
  label: column === 'none' ? texts.noColumn : leadStatusTexts[column],
}))

const referenceNames = ['source', 'offer', 'stream'] as const

/** The dimensions of Explore that have no filter of their own in the list. */
const addableNames = dimensionNames.filter(
  (name) => dimensions[name].kind !== 'period' && referenceNames.every((reference) => reference !== name),
)

/** Their filters in the address. */
const dimensionFilterNames = [...addableNames.map((name) => dimensions[name].leadFilter), 'without']

/** A key in the URL of each filter. */
export const leadFilterNames = [
  ...referenceNames.map((name) => dimensions[name].leadFilter),
  'column',
  'source_status',
  'from',
  ...dimensionFilterNames,
]

type LeadFiltersProps = { table: TableControl; optionSources: LeadOptionSources }

/** The filters of the list of leads after its search. */
export function LeadFilters({ table, optionSources }: LeadFiltersProps) {
  const { from, to, without, ...set } = table.state.filters
  const values: Record<string, string | undefined> = { without }
  for (const name of addableNames) values[name] = set[dimensions[name].leadFilter]
  const filters = readFilters(values)
  return (
    <FilterGroup table={table} names={leadFilterNames}>
      {referenceNames.map((name) => (
        <ReferencesFilter
          key={name}
          table={table}
          name={dimensions[name].leadFilter}
          optionSource={optionSources[`${name}s`]}
          none={name === 'source' ? undefined : exploreFilterTexts.without[name]}
          {...texts.filters[name]}
        />
      ))}
      <ChoiceFilter table={table} name="column" options={columnOptions} {...texts.filters.state} />
      <SearchBox
        label={texts.sourceStatus}
        value={table.state.filters.source_status ?? ''}
        onSearch={(source_status) => table.change({ filters: { source_status } })}
      />
      <PeriodFilter table={table} />
      <DimensionFilters
        names={addableNames}
        Field={KeyFilter}
        filters={filters}
        period={from && to ? { date_from: from, date_to: to } : { period: 'all' }}
        onKeys={(name, keys) => {
          const changed = changeFilter(filters, name, keys)
          table.change({
            filters: { [dimensions[name].leadFilter]: changed[name], without: changed.without },
          })
        }}
      />
    </FilterGroup>
  )
}
