import type { DifferenceKind, MissingBalanceReason } from '@karvon/contract/network-money/network-money.ts'
import { defineMessages } from '../../lib/i18n/messages.ts'

const kinds: Readonly<Record<DifferenceKind, string>> = {
  unknown_lead: 'Unknown lead',
  other_person: 'Lead of another person',
  payout_differs: 'Payout differs',
  status_differs: 'Status differs',
  lead_not_counted: 'Not counted by the network',
  other_transaction: 'Other transaction',
  withdrawal_not_listed: 'Withdrawal not listed',
  withdrawal_unpaid: 'Withdrawal not paid',
  on_hold: 'On hold',
  unexplained: 'Not explained',
}

const missingBalances: Readonly<Record<MissingBalanceReason, string>> = {
  not_described: 'The network does not report it',
  not_read: 'Not read yet',
}

export const networkMoneyTexts = defineMessages('networkMoney', {
  title: 'Money at the networks',
  search: 'Account, source or person',
  loadFailed: 'Failed to load the money at the networks. Please try again later.',
  empty: 'No accounts at networks.',
  columns: {
    account: 'Account',
    source: 'Source',
    user: 'Person',
    earned: 'Earned by our leads',
    paid_out: 'Paid out',
    on_hold: 'On hold',
    expected: 'Expected balance',
    balance: 'Network’s balance',
    difference: 'Difference',
    money_at: 'Read',
  },
  filters: {
    source: { label: 'Source', any: 'All sources' },
    user: { label: 'Person', any: 'All people' },
    difference: { label: 'Difference', any: 'All accounts' },
    kind: { label: 'Reason', any: 'All reasons' },
  },
  missingBalances,
  withDifference: 'With a difference',
  withoutDifference: 'Without a difference',
  lines: {
    title: 'Difference of {name}',
    search: 'Id at the network',
    loadFailed: 'Failed to load the lines of the difference. Please try again later.',
    empty: 'Nothing differs.',
    noBalance: 'Without a balance of the network there is nothing to compare.',
  },
  lineColumns: {
    kind: 'Reason',
    external_id: 'Id at the network',
    status: 'Status',
    actual: 'Network',
    expected: 'Karvon',
    difference: 'Difference',
    at: 'Time',
    comment: 'Comment',
  },
  kinds,
})
