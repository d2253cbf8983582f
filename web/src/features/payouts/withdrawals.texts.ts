import { defineMessages } from '../../lib/i18n/messages.ts'

const statuses: Readonly<Record<string, string>> = {
  open: 'Open',
  requested: 'Requested',
  approved: 'Approved',
  paid: 'Paid',
  declined: 'Declined',
  cancelled: 'Cancelled',
}

export const withdrawalTexts = defineMessages('withdrawals', {
  title: 'Withdrawals',
  search: 'Search by person',
  loadFailed: 'Failed to load withdrawals. Please try again.',
  empty: 'No withdrawals found',
  statuses,
  none: '—',
  one: 'Withdrawal #{id}',
  filters: {
    user: { label: 'Person', any: 'Everybody' },
    status: { label: 'Status', any: 'All statuses' },
    currency: { label: 'Currency', any: 'All currencies' },
    one: { label: 'Withdrawal', any: 'All withdrawals' },
  },
  columns: {
    requested_at: 'Requested',
    user: 'Person',
    amount: 'Amount',
    status: 'Status',
    details: 'Payment details',
    outcome: 'Outcome',
  },
  paid: '{day}, {reference}',
  facts: {
    decidedBy: 'Decided by',
    decidedAt: 'Decided',
    reason: 'Reason',
    paidOn: 'Paid on',
    reference: 'Reference',
    entries: 'Entries',
  },
  showEntries: 'Show the entries',
  changing: 'Saving...',
  changeFailed: 'Failed to change the withdrawal. Please try again.',
  registry: 'Payment registry',
})

export const decisionTexts = defineMessages('withdrawalDecision', {
  approve: 'Approve',
  confirmApprove: 'Approve {amount} for {who}?',
  approved: 'Withdrawal approved.',
  decline: 'Decline',
  reason: 'Reason',
  reasonHint: 'The person sees it.',
  declined: 'Withdrawal declined.',
  pay: 'Record the payment',
  confirmPay: 'Record that {amount} was paid to {who}?',
  paidOn: 'Paid on',
  reference: 'Reference',
  referenceHint: 'The number of the payment at the bank.',
  paid: 'Payment recorded.',
  cancel: 'Take back',
  confirmCancel: 'Take the request for {amount} back?',
  cancelled: 'Request taken back.',
})
