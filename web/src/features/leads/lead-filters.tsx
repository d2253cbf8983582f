import { splitFilter } from '@karvon/contract/lib/filter-values.ts'
import { textDimensions } from '@karvon/contract/lib/lead-texts.ts'
import { leadColumnFilters } from '@karvon/contract/leads/leads.ts'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { ChoiceFilter, LinkedFilter, ReferenceFilter, PeriodFilter } from '../../resources/list-filters.tsx'
import type { TableControl } from '../../lib/table-state.ts'
import classes from './leads.module.css'
import type { LeadOptionSources } from './leads.options.ts'
import { leadStatusTexts } from './lead-status.texts.ts'
import { leadTexts as texts } from './leads.texts.ts'

const columnOptions = leadColumnFilters.map((column) => ({
  value: column,
  label: column === 'none' ? texts.noColumn : leadStatusTexts[column],
}))

/** The filters that the figures of Explore set. They are shown where they are set. */
export const linkedFilterNames = [
  'buyer_id',
  'status_id',
  'weekday',
  'hour',
  ...textDimensions,
  'without',
] as const

function formatLinked(name: (typeof linkedFilterNames)[number], value: string): string {
  if (name === 'without') {
    const names = textDimensions.filter((dimension) => value.split(',').includes(dimension))
    return names.map((dimension) => texts.linked[dimension]).join(', ')
  }
  const isText = textDimensions.some((dimension) => dimension === name)
  const values = splitFilter(value, isText ? 'text' : 'number')
  return values
    .map((filterValue) => (name.endsWith('_id') && filterValue !== '0' ? `#${filterValue}` : filterValue))
    .join(', ')
}

type LeadFiltersProps = { table: TableControl; optionSources: LeadOptionSources }

/** The filters of the list of leads after its search. */
export function LeadFilters({ table, optionSources }: LeadFiltersProps) {
  return (
    <>
      <div className={classes.choices}>
        <ReferenceFilter
          table={table}
          name="source_id"
          optionSource={optionSources.sources}
          {...texts.filters.source}
        />
        <ReferenceFilter
          table={table}
          name="offer_id"
          optionSource={optionSources.offers}
          {...texts.filters.offer}
        />
        <ReferenceFilter
          table={table}
          name="stream_id"
          optionSource={optionSources.streams}
          {...texts.filters.stream}
        />
        <ChoiceFilter table={table} name="column" options={columnOptions} {...texts.filters.state} />
      </div>
      <SearchBox
        label={texts.sourceStatus}
        value={table.state.filters.source_status ?? ''}
        onSearch={(source_status) => table.change({ filters: { source_status } })}
      />
      <PeriodFilter table={table} />
      {linkedFilterNames.map((name) => (
        <LinkedFilter
          key={name}
          table={table}
          name={name}
          label={texts.linked[name]}
          any={texts.anyLinked}
          formatValue={(value) =>
            texts.linkedValue({ name: texts.linked[name], value: formatLinked(name, value) })
          }
        />
      ))}
    </>
  )
}
