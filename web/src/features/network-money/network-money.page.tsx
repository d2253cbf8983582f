import { lazy } from 'react'
import { missingValue } from '../../lib/format/missing.ts'
import { listNetworkMoney, type NetworkMoney } from '@karvon/contract/network-money/network-money.ts'
import type { Column } from '../../components/table/column.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { createFlagFilter } from '../../resources/list-filters.tsx'
import { logPage } from '../../resources/log-page.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import { Difference } from '../reports/difference.tsx'
import { formatFigure } from '../../lib/format/money.format.ts'
import { networkMoneyTexts as texts } from './network-money.texts.ts'
import { createTimeColumn } from '../../resources/time-column.ts'

const DifferencesDialog = lazy(async () => ({
  default: (await import('./differences-dialog.tsx')).DifferencesDialog,
}))

/** The accounts at the networks: what their leads earned, what was paid, and the difference to the network's balance. */
export const NetworkMoneyPage = logPage({
  call: listNetworkMoney,
  key: queryKeys.networkMoney,
  name: 'network-money',
  pageSize: 10,
  texts,
  filters: [
    { name: 'source_id', optionSource: resourceOptions('cpa-sources'), ...texts.filters.source },
    { name: 'user_id', optionSource: resourceOptions('users'), ...texts.filters.user },
    createFlagFilter('has_difference', {
      yes: texts.withDifference,
      no: texts.withoutDifference,
      ...texts.filters.difference,
    }),
  ],
  createColumns: createAccountColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: ({ id, name }) => name ?? String(id),
  scrollX: true,
  renderDetail: (openedAccount, setOpenedAccount) => (
    <DifferencesDialog account={openedAccount} onClose={() => setOpenedAccount(null)} />
  ),
})

/** An amount of an account, or why there is none. */
const formatAmountOf = (row: NetworkMoney, key: (typeof amountKeys)[number]): string =>
  key === 'balance' && row.balance_missing !== null
    ? texts.missingBalances[row.balance_missing]
    : formatFigure(row[key])

const amountKeys = ['earned', 'paid_out', 'on_hold', 'expected', 'balance'] as const

function createAccountColumns(zone: string): Column<NetworkMoney>[] {
  const { columns } = texts
  return [
    { key: 'name', header: columns.account, cell: (row) => row.name ?? missingValue, sortable: true },
    { key: 'source', header: columns.source, cell: (row) => row.source.name },
    { key: 'user', header: columns.user, cell: (row) => row.user.name },
    ...amountKeys.map((key): Column<NetworkMoney> => ({
      key,
      header: columns[key],
      cell: (row) => formatAmountOf(row, key),
      align: 'end',
      sortable: true,
    })),
    {
      key: 'difference',
      header: columns.difference,
      cell: (row) => <Difference value={row.difference} />,
      align: 'end',
      sortable: true,
    },
    createTimeColumn('money_at', columns.money_at, zone),
  ]
}
