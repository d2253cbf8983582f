import { missingValue } from '../../lib/format/missing.ts'
import type { Named } from '@karvon/contract/lib/field.ts'
import type { Lead } from '@karvon/contract/leads/leads.ts'
import type { Column } from '../../components/table/column.ts'
import { LeadStatusBadge } from './lead-status.tsx'
import { formatAmount, formatMoney } from '../../lib/format/money.format.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { leadTexts as texts } from './leads.texts.ts'

/** An amount, with its currency where it differs from the installation's. */
export const formatPayout = (amount: number, currency: string, defaultCurrency: string): string =>
  currency === defaultCurrency ? formatMoney(amount, '.') : formatAmount(amount, currency)

const renderName = (namedRow: Named | null) =>
  namedRow === null ? missingValue : <TruncatedText text={namedRow.name} />

/** The columns of the list of leads. Times are in the time zone `zone`. */
export function createLeadColumns(zone: string, currency: string): Column<Lead>[] {
  const { columns } = texts
  return [
    {
      key: 'external_id',
      header: columns.external_id,
      cell: (row) => <TruncatedText text={row.external_id} />,
      sortable: true,
    },
    {
      key: 'created_at',
      header: columns.created_at,
      cell: (row) => formatDateTime(row.created_at, zone),
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    { key: 'source', header: columns.source, cell: (row) => renderName(row.source), phone: 'line' },
    { key: 'offer', header: columns.offer, cell: (row) => renderName(row.offer), phone: 'line' },
    { key: 'stream', header: columns.stream, cell: (row) => renderName(row.stream), phone: 'line' },
    {
      key: 'source_status',
      header: columns.sourceStatus,
      cell: (row) => row.source_status || missingValue,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'status',
      header: columns.status,
      cell: (row) => <LeadStatusBadge column={row.column} status={row.status} />,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'payout',
      header: columns.payout,
      cell: (row) => formatPayout(row.payout, row.currency, currency),
      align: 'end',
      sortable: true,
      phone: 'line',
    },
  ]
}
