import { useMemo } from 'react'
import { Link } from '@tanstack/react-router'
import { listUnmapped, type UnmappedWord } from '@karvon/contract/leads/leads.ts'
import { Toolbar } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { formatNumber } from '../../lib/format/number.format.ts'
import type { Column } from '../../components/table/column.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { NameFilter } from '../../resources/list-filters.tsx'
import { useList, wireQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { useTableState } from '../../lib/table-state.ts'
import { allLeadNames } from './leads.names.ts'
import { unmappedTexts as texts } from './leads.texts.ts'
import { WordMapping } from './word-mapping.tsx'

const spec = { pageSize: 10, filters: ['source_id'] }
const keyOf = (row: UnmappedWord) => `${row.source_id} ${row.word}`

/** Words that sources say and that stand for no status yet, each with the status that it gets in one step. */
export function UnmappedPage() {
  const table = useTableState(spec)
  const { search } = table.state
  const query = useList<UnmappedWord>(['leads', 'unmapped'], listUnmapped, table.state)
  const columns = useMemo(() => unmappedColumns(), [])
  return (
    <>
      <Toolbar
        actions={<ExportMenu call={listUnmapped} query={wireQuery(table.state)} name="unmapped-words" />}
      >
        <SearchBox
          label={texts.search}
          value={search}
          onSearch={(wanted) => table.change({ search: wanted })}
        />
        <NameFilter table={table} name="source_id" names={allLeadNames.sources} {...texts.source} />
      </Toolbar>
      <ListTable
        label={texts.title}
        table={table}
        query={query}
        columns={columns}
        rowKey={keyOf}
        rowLabel={(row) => row.word}
        failedText={texts.loadFailed}
        emptyText={texts.empty}
      />
    </>
  )
}

function unmappedColumns(): Column<UnmappedWord>[] {
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
        <Link to="/leads" search={{ source_id: String(row.source_id), word: row.word }}>
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
      cell: (row) => <WordMapping of={row} />,
      width: 260,
      phone: 'line',
    },
  ]
}
