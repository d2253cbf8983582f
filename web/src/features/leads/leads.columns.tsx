import type { Named } from '@karvon/contract/lib/field.ts'
import type { Lead } from '@karvon/contract/leads/leads.ts'
import type { Column } from '../../components/table/column.ts'
import { LeadStateBadge } from './lead-state.tsx'
import { formatMoney } from '../../lib/format/money.format.ts'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { Short } from '../../components/short.tsx'
import { leadTexts as texts } from './leads.texts.ts'

/** An amount, with its currency where that is not the installation's. */
export const payoutOf = (amount: number, currency: string, usual: string): string =>
  currency === usual ? formatMoney(amount) : `${formatMoney(amount)} ${currency}`

const nameCell = (of: Named | null) => (of === null ? texts.none : <Short text={of.name} />)

/** The columns of the leads list; times in the installation's `zone`. */
export function leadColumns(zone: string, currency: string): Column<Lead>[] {
  const { columns, none } = texts
  return [
    {
      key: 'external_id',
      header: columns.external_id,
      cell: (row) => row.external_id,
      sortable: true,
    },
    {
      key: 'created_at',
      header: columns.created_at,
      cell: (row) => formatMoment(row.created_at, zone),
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    { key: 'source', header: columns.source, cell: (row) => nameCell(row.source), phone: 'line' },
    { key: 'offer', header: columns.offer, cell: (row) => nameCell(row.offer), phone: 'line' },
    { key: 'stream', header: columns.stream, cell: (row) => nameCell(row.stream), phone: 'line' },
    { key: 'word', header: columns.word, cell: (row) => row.word || none, nowrap: true, phone: 'line' },
    {
      key: 'status',
      header: columns.status,
      cell: (row) => <LeadStateBadge column={row.column} status={row.status} />,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'payout',
      header: columns.payout,
      cell: (row) => payoutOf(row.payout, row.currency, currency),
      align: 'end',
      sortable: true,
      phone: 'line',
    },
  ]
}
