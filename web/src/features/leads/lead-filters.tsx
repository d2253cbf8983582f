import { reportColumnNames } from '@karvon/contract/lib/report-columns.ts'
import { leadColumns } from '@karvon/contract/leads/leads.ts'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { speak } from '../../lib/i18n/language.ts'
import { ChoiceFilter, NameFilter, PeriodFilter } from '../../resources/list-filters.tsx'
import type { TableControl } from '../../lib/table-state.ts'
import classes from './leads.module.css'
import type { LeadNames } from './leads.names.ts'
import { leadTexts as texts } from './leads.texts.ts'

const states = leadColumns.map((column) => ({
  value: column,
  label: column === 'none' ? texts.noColumn : speak(reportColumnNames[column]),
}))

type LeadFiltersProps = { table: TableControl; names: LeadNames }

/** What narrows the list of leads; all of it stands in the URL. */
export function LeadFilters({ table, names }: LeadFiltersProps) {
  const { search, filters } = table.state
  return (
    <>
      <SearchBox
        label={texts.search}
        value={search}
        onSearch={(wanted) => table.change({ search: wanted })}
      />
      <div className={classes.choices}>
        <NameFilter table={table} name="source_id" names={names.sources} {...texts.filters.source} />
        <NameFilter table={table} name="offer_id" names={names.offers} {...texts.filters.offer} />
        <NameFilter table={table} name="stream_id" names={names.streams} {...texts.filters.stream} />
        <ChoiceFilter table={table} name="column" options={states} {...texts.filters.state} />
      </div>
      <SearchBox
        label={texts.word}
        value={filters.word ?? ''}
        onSearch={(word) => table.change({ filters: { word } })}
      />
      <PeriodFilter table={table} />
    </>
  )
}
