import { lazy } from 'react'
import { listOwnWithdrawals, listWithdrawals, withdrawalStatuses } from '@karvon/contract/payouts/payouts.ts'
import { createOptions } from '../../components/fields/options.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import type { ListFilter } from '../../resources/list-filters.tsx'
import { logPage } from '../../resources/log-page.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import { SendButton } from './send-button.tsx'
import { createOwnWithdrawalColumns, createWithdrawalColumns } from './withdrawals.columns.tsx'
import { withdrawalTexts as texts } from './withdrawals.texts.ts'

const OwnWithdrawal = lazy(async () => ({ default: (await import('./own-withdrawal.tsx')).OwnWithdrawal }))
const WithdrawalDecision = lazy(async () => ({
  default: (await import('./withdrawal-decision.tsx')).WithdrawalDecision,
}))

const statusOptions = createOptions(['open', ...withdrawalStatuses], texts.statuses)

const sharedFilters: readonly ListFilter[] = [
  { name: 'status', options: statusOptions, ...texts.filters.status },
  { name: 'withdrawal_id', formatValue: (id) => `#${id}`, ...texts.filters.one },
  { name: 'currency', formatValue: String, ...texts.filters.currency },
  'period',
]

const sharedOptions = {
  name: 'withdrawals',
  pageSize: 20,
  rowKey: ({ id }: { id: number }) => String(id),
  rowLabel: ({ id }: { id: number }) => texts.one({ id }),
}

/** The withdrawals of all people. A row opens with the decisions on it. */
export const WithdrawalsPage = logPage({
  ...sharedOptions,
  call: listWithdrawals,
  key: queryKeys.withdrawals,
  texts,
  filters: [
    { name: 'user_id', optionSource: resourceOptions('users'), ...texts.filters.user },
    { name: 'registry_id', formatValue: (id) => `#${id}`, ...texts.filters.registry },
    ...sharedFilters,
  ],
  createColumns: createWithdrawalColumns,
  Actions: SendButton,
  renderDetail: (openedWithdrawal, setOpenedWithdrawal) => (
    <WithdrawalDecision
      withdrawal={openedWithdrawal}
      onDecide={setOpenedWithdrawal}
      onClose={() => setOpenedWithdrawal(null)}
    />
  ),
})

/** The own withdrawals. A row opens its detail, where an open request can be cancelled. */
export const OwnWithdrawalsPage = logPage({
  ...sharedOptions,
  call: listOwnWithdrawals,
  key: queryKeys.ownWithdrawals,
  texts: { title: texts.title, loadFailed: texts.loadFailed, empty: texts.empty },
  filters: sharedFilters,
  createColumns: createOwnWithdrawalColumns,
  renderDetail: (openedWithdrawal, setOpenedWithdrawal) => (
    <OwnWithdrawal
      withdrawal={openedWithdrawal}
      onCancel={setOpenedWithdrawal}
      onClose={() => setOpenedWithdrawal(null)}
    />
  ),
})
