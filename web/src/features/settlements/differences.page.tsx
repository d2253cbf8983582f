import { lazy } from 'react'
import {
  differenceDefaults,
  differenceKinds,
  listSettlementDifferences,
  type SettlementDifference,
} from '@karvon/contract/settlements/differences.ts'
import { createOptions } from '../../components/fields/options.ts'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatAmount } from '../../lib/format/money.format.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import {
  DifferenceStatusBadge,
  formatKind,
  formatOptionalAmount,
  LinesLink,
  OrderLink,
} from './settlements.cells.tsx'
import { differenceTexts as texts } from './settlements.texts.ts'
import { createTimeColumn } from '../../resources/time-column.ts'

const DifferenceDetail = lazy(async () => ({
  default: (await import('./difference-detail.tsx')).DifferenceDetail,
}))

const { columns, filters, none } = texts

const statusOptions = createOptions(['open', 'resolved'], texts.statuses)

/** What differs between acts, parcels and tariffs, at first what is open. A row opens with its notes, and is resolved there. */
export const SettlementDifferencesPage = logPage({
  call: listSettlementDifferences,
  key: queryKeys.settlementDifferences,
  name: 'settlement-differences',
  pageSize: 20,
  texts,
  filters: [
    {
      name: 'kind',
      options: differenceKinds.map((value) => ({ value, label: formatKind(value) })),
      ...filters.kind,
    },
    { name: 'status', options: statusOptions, ...filters.status },
    {
      name: 'courier_account_id',
      optionSource: resourceOptions('courier-accounts'),
      ...filters.account,
    },
    { name: 'assignee_id', optionSource: resourceOptions('users'), ...filters.assignee },
    { name: 'act_id', formatValue: (id) => `#${id}`, ...filters.act },
    'period',
  ],
  defaults: differenceDefaults,
  createColumns: createDifferenceColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: ({ orderno }) => orderno,
  renderDetail: (openedDifference, setOpenedDifference) => (
    <DifferenceDetail difference={openedDifference} onClose={() => setOpenedDifference(null)} />
  ),
})

function createDifferenceColumns(zone: string): Column<SettlementDifference>[] {
  const createAmount = (key: 'expected' | 'actual'): Column<SettlementDifference> => ({
    key,
    header: columns[key],
    cell: (row) => formatOptionalAmount(row[key], row.currency),
    align: 'end',
    spareBelow: 1100,
    phone: 'line',
  })
  return [
    {
      key: 'orderno',
      header: columns.orderno,
      cell: (row) => <OrderLink order={row} />,
      sortable: true,
    },
    {
      key: 'difference',
      header: columns.difference,
      cell: (row) => formatAmount(row.difference, row.currency),
      align: 'end',
      sortable: true,
    },
    { key: 'kind', header: columns.kind, cell: (row) => formatKind(row.kind), nowrap: true, phone: 'line' },
    {
      key: 'status',
      header: columns.status,
      cell: (row) => <DifferenceStatusBadge status={row.status} />,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'act',
      header: columns.act,
      cell: (row) =>
        row.act === null ? none : <LinesLink scope="all" actId={row.act.id} text={row.act.number} />,
      nowrap: true,
      phone: 'line',
    },
    createAmount('expected'),
    createAmount('actual'),
    {
      key: 'assignee',
      header: columns.assignee,
      cell: (row) => (row.assignee === null ? none : <TruncatedText text={row.assignee.name} />),
      phone: 'line',
    },
    { ...createTimeColumn('created_at', columns.created_at, zone), spareBelow: 1100, phone: 'line' },
  ]
}
