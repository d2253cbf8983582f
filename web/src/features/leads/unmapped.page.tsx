import { Link } from '@tanstack/react-router'
import { listUnmappedStatuses, type UnmappedStatus } from '@karvon/contract/leads/unmapped.ts'
import type { Column } from '../../components/table/column.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { allLeadOptions } from '../reports/lead-options.ts'
import { unmappedTexts as texts } from './unmapped.texts.ts'
import { SourceStatusMapping } from './source-status-mapping.tsx'

/** The source statuses without a mapping, each with a select that maps it. */
export const UnmappedStatusesPage = logPage({
  call: listUnmappedStatuses,
  key: queryKeys.unmappedStatuses,
  name: 'unmapped-statuses',
  pageSize: 10,
  texts,
  filters: [{ name: 'source_id', optionSource: allLeadOptions.sources, ...texts.source }],
  createColumns: createUnmappedColumns,
  rowKey: (row) => `${row.source_id} ${row.word}`,
  rowLabel: (row) => row.word,
})

function createUnmappedColumns(): Column<UnmappedStatus>[] {
  const { columns } = texts
  return [
    {
      key: 'word',
      header: columns.sourceStatus,
      cell: (row) => row.word || texts.none,
      sortable: true,
    },
    { key: 'source', header: columns.source, cell: (row) => row.source.name, phone: 'line' },
    {
      key: 'leads',
      header: columns.leads,
      cell: (row) => (
        <Link
          to="/leads"
          search={{ source_id: String(row.source_id), source_status: row.word, status_id: '0' }}
        >
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
