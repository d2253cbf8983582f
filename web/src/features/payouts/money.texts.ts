import type { BalancePart } from '@karvon/contract/payouts/statements.ts'
import { defineMessages } from '../../lib/i18n/messages.ts'

export const balanceTexts = defineMessages('balance', {
  loadFailed: 'Failed to load the balance. Please try again.',
  balanceIn: 'Balance, {currency}',
  earned: 'Earned',
  on_hold: 'On hold',
  available: 'Available',
  requested: 'Requested',
  paid: 'Paid',
  minimum: 'Smallest withdrawal: {amount}',
  noMinimum: 'Any available amount can be withdrawn.',
  nothing: 'Nothing is available for a withdrawal.',
  negative: 'Leads were returned after they were paid. What you earn next is set off against them.',
  newestEntries: 'Newest entries',
  openWithdrawals: 'Open withdrawals',
  noOpenWithdrawals: 'No open withdrawals',
  showAll: 'Show all',
  request: 'Request a withdrawal',
  requestIn: 'Withdrawal in {currency}',
  amount: 'Amount',
  availableHint: 'At most {amount}.',
  notPositive: 'Enter an amount above 0',
  details: 'Payment details',
  detailsHint: 'A card or a bank account. Only its last characters are shown afterwards.',
  submit: 'Request',
  saved: 'The withdrawal is requested.',
})

const parts: Readonly<Record<BalancePart, string>> = {
  earned: 'Earned',
  on_hold: 'On hold',
  available: 'Not on hold',
}

export const ownEntryTexts = defineMessages('ownEntries', {
  title: 'History',
  loadFailed: 'Failed to load the history. Please try again.',
  empty: 'No entries found',
  columns: { created_at: 'Posted', amount: 'Amount', cause: 'Cause', available_on: 'Available on' },
  filters: {
    part: { label: 'Part', any: 'All entries' },
    currency: { label: 'Currency', any: 'All currencies' },
    statement: { label: 'Statement', any: 'All periods' },
  },
  parts,
  /** What the entries that are not on hold sum to, and what of it is left. */
  sums: 'Available money',
  entries: 'Entries below',
  requested: 'Requested',
  available: 'Available',
  adjustment: '{cause}: {reason}',
})
