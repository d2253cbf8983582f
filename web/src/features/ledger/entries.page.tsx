import { useMemo } from 'react'
import { Link } from '@tanstack/react-router'
import { accountKinds, listLedgerEntries, type LedgerEntry } from '@karvon/contract/ledger/ledger.ts'
import { causeTypes } from '@karvon/contract/lib/money.ts'
import { createOptions } from '../../components/fields/options.ts'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatAmount } from '../../lib/format/money.format.ts'
import { useList } from '../../lib/list.query.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { useTableState, type TableControl } from '../../lib/table-state.ts'
import { FilterGroup } from '../../resources/filter-group.tsx'
import { ChoiceFilter, LinkedFilter, PeriodFilter, ReferenceFilter } from '../../resources/list-filters.tsx'
import { ListPage } from '../../resources/list-page.tsx'
import { ownerSources } from './account.options.ts'
import { CauseLink } from './cause-link.tsx'
import { getAccountSearch } from './entries.links.ts'
import { formatAccount, formatAccountKind, formatCause } from './ledger.names.ts'
import { entriesTexts as texts, ledgerTexts } from './ledger.texts.ts'
import { createTimeColumn } from '../../resources/time-column.ts'

/** A key in the URL of each filter. */
const filterNames = ['kind', 'ref_id', 'currency', 'cause_type', 'cause_id', 'statement_id', 'from']
const tableSpec = { pageSize: 20, filters: [...filterNames, 'to'] }

/** The entries of the ledger. Each links to its account and to its cause. */
export function EntriesPage() {
  const table = useTableState(tableSpec)
  const { time_zone: zone } = useSettings()
  const list = useList<LedgerEntry>({ table, key: queryKeys.ledgerEntries, call: listLedgerEntries })
  const columns = useMemo(() => createEntryColumns(zone), [zone])
  return (
    <ListPage
      list={list}
      label={texts.title}
      isSearchable={false}
      filters={<EntryFilters table={table} />}
      exportName="entries"
      columns={columns}
      rowKey={({ id }) => String(id)}
      rowLabel={formatCause}
      failedText={texts.loadFailed}
      emptyText={texts.empty}
    />
  )
}

const kindOptions = accountKinds.map((value) => ({ value, label: formatAccountKind(value) }))
const causeOptions = createOptions(causeTypes, ledgerTexts.causes)

/** Another value of a filter removes the filter `dependent`, whose rows are of the value before. */
const removeWith = (table: TableControl, dependent: string): TableControl => ({
  ...table,
  change: (tableChange) =>
    table.change({ ...tableChange, filters: { ...tableChange.filters, [dependent]: '' } }),
})

function EntryFilters({ table }: { table: TableControl }) {
  const { kind = '' } = table.state.filters
  const ownerSource = ownerSources[kind]
  const { filters } = ledgerTexts
  return (
    <FilterGroup table={table} names={filterNames}>
      <ChoiceFilter table={removeWith(table, 'ref_id')} name="kind" options={kindOptions} {...filters.kind} />
      {ownerSource && (
        <ReferenceFilter
          key={kind}
          table={table}
          name="ref_id"
          optionSource={ownerSource}
          {...filters.owner}
        />
      )}
      <LinkedFilter table={table} name="currency" formatValue={String} {...filters.currency} />
      <ChoiceFilter
        table={removeWith(table, 'cause_id')}
        name="cause_type"
        options={causeOptions}
        {...filters.cause}
      />
      <LinkedFilter table={table} name="cause_id" formatValue={(id) => `#${id}`} {...filters.causeId} />
      <LinkedFilter table={table} name="statement_id" formatValue={(id) => `#${id}`} {...filters.statement} />
      <PeriodFilter table={table} />
    </FilterGroup>
  )
}

const createEntryColumns = (zone: string): Column<LedgerEntry>[] => [
  createTimeColumn('created_at', texts.columns.created_at, zone),
  {
    key: 'amount',
    header: texts.columns.amount,
    cell: (row) => formatAmount(row.amount, row.currency),
    align: 'end',
  },
  {
    key: 'account',
    header: texts.columns.account,
    cell: (row) => (
      <Link to="/settlements" search={getAccountSearch(row)}>
        <TruncatedText text={formatAccount(row)} isWide />
      </Link>
    ),
    phone: 'line',
  },
  {
    key: 'cause',
    header: texts.columns.cause,
    cell: (row) => <CauseLink entry={row} />,
    nowrap: true,
    phone: 'line',
  },
  {
    key: 'available_on',
    header: texts.columns.available_on,
    cell: (row) =>
      row.on_hold && row.available_on === null ? texts.unknownDay : formatDay(row.available_on),
    nowrap: true,
    phone: 'line',
  },
]
