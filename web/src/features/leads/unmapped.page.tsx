import { useMemo } from 'react'
import { Link } from '@tanstack/react-router'
import { listUnmappedStatuses, type UnmappedStatus } from '@karvon/contract/leads/leads.ts'
import { Toolbar } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { formatNumber } from '../../lib/format/number.format.ts'
import type { Column } from '../../components/table/column.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ReferenceFilter } from '../../resources/list-filters.tsx'
import { useList, buildListQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { useTableState } from '../../lib/table-state.ts'
import { allLeadOptions } from './leads.options.ts'
import { unmappedTexts as texts } from './leads.texts.ts'
import { SourceStatusMapping } from './source-status-mapping.tsx'
import { queryKeys } from '../../lib/query-keys.ts'

const spec = { pageSize: 10, filters: ['source_id'] }
const getRowKey = (row: UnmappedStatus) => `${row.source_id} ${row.word}`

/** The source statuses without a mapping, each with a select that maps it. */
export function UnmappedStatusesPage() {
  const table = useTableState(spec)
  const { search } = table.state
  const query = useList<UnmappedStatus>({
    key: queryKeys.unmappedStatuses,
    call: listUnmappedStatuses,
    state: table.state,
  })
  const columns = useMemo(() => createUnmappedColumns(), [])
  return (
    <>
      <Toolbar
        actions={
          <ExportMenu call={listUnmappedStatuses} query={buildListQuery(table.state)} name="unmapped-words" />
        }
      >
        <SearchBox label={texts.search} value={search} onSearch={(text) => table.change({ search: text })} />
        <ReferenceFilter
          table={table}
          name="source_id"
          optionSource={allLeadOptions.sources}
          {...texts.source}
        />
      </Toolbar>
      <ListTable
        label={texts.title}
        table={table}
        query={query}
        columns={columns}
        rowKey={getRowKey}
        rowLabel={(row) => row.word}
        failedText={texts.loadFailed}
        emptyText={texts.empty}
      />
    </>
  )
}

function createUnmappedColumns(): Column<UnmappedStatus>[] {
  const { columns } = texts
  return [
    {
      key: 'word',
      header: columns.word,
      cell: (row) => row.word || texts.empties,
      sortable: true,
    },
    { key: 'source', header: columns.source, cell: (row) => row.source.name, phone: 'line' },
    {
      key: 'leads',
      header: columns.leads,
      cell: (row) => (
        <Link to="/leads" search={{ source_id: String(row.source_id), source_status: row.word }}>
          {formatNumber(row.leads)}
        </Link>
      ),
      align: 'end',
      sortable: true,
      phone: 'line',
    },
    {
      key: 'status',
      header: columns.status,
      cell: (row) => <SourceStatusMapping row={row} />,
      width: 260,
      phone: 'line',
    },
  ]
}
