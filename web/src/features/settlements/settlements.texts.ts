import { defineMessages } from '../../lib/i18n/messages.ts'

const kinds: Readonly<Record<string, string>> = {
  unknown_order: 'Unknown order',
  amount: 'Amount differs',
  fee: 'Fee differs',
  settled_twice: 'Settled twice',
  not_delivered: 'Not delivered',
  missing: 'In no act',
}

const payTypes: Readonly<Record<string, string>> = {
  CASH: 'Cash',
  CARD: 'Card',
  NO: 'No payment',
  OTHER: 'Other',
  OPTION: 'As the receiver chooses',
}

export const actTexts = defineMessages('settlementActs', {
  title: 'Settlement acts',
  search: 'Search by act number',
  loadFailed: 'Failed to load settlement acts. Please try again.',
  empty: 'No settlement acts found',
  one: 'Settlement act {number}',
  sums: 'Sums of the act',
  ofAccount: '{day}, {account}',
  none: '—',
  unpaid: 'Not paid',
  voided: 'Voided',
  unlisted: 'Not listed',
  payTypes,
  filters: {
    account: { label: 'Courier account', any: 'All accounts' },
    paid: { label: 'Payment', any: 'All payments', yes: 'Paid', no: 'Not paid' },
    differences: {
      label: 'Differences',
      any: 'All acts',
      yes: 'With differences',
      no: 'Without differences',
    },
    unlisted: {
      label: 'Courier’s list',
      any: 'Listed or not',
      yes: 'Not listed',
      no: 'Other acts',
    },
  },
  columns: {
    number: 'Number',
    courier_account: 'Courier account',
    lines: 'Lines',
    collected: 'Collected',
    fees: 'Fees',
    correction: 'Correction',
    due: 'Due',
    difference: 'Difference',
    differences: 'Open differences',
    paid: 'Paid',
    paid_at: 'Paid on',
    act_date: 'Date',
    pay_type: 'Pay type',
    entries: 'Entries',
    voided_at: 'Voided',
    unlisted_at: 'Not listed by the courier since',
  },
  showEntries: 'Show the entries',
  accountsFailed: 'Failed to load courier accounts.',
})

export const voidTexts = defineMessages('voidAct', {
  void: 'Void the act',
  voiding: 'Voiding…',
  voided: 'Act voided.',
  voidedInPart: 'Act voided. Lines still to remove: {lines, number}.',
  reason: 'Reason',
  reasonHint: 'The lines and the sums of the act are removed. The next import of the act restores them.',
  unlistedHint:
    'The lines and the sums of the act are removed. If the courier lists the act again, the next sync restores them.',
})

export const actLineTexts = defineMessages('settlementLines', {
  title: 'Act lines',
  search: 'Search by order number',
  loadFailed: 'Failed to load act lines. Please try again.',
  empty: 'No act lines found',
  back: 'Back to settlement acts',
  none: '—',
  kind: { label: 'Difference', any: 'All lines' },
  columns: {
    orderno: 'Order',
    delivered_date: 'Delivered',
    collected: 'Collected',
    delivery_fee: 'Delivery fee',
    cash_fee: 'Cash fee',
    due: 'Due',
    differences: 'Differences',
  },
})

export const differenceTexts = defineMessages('settlementDifferences', {
  title: 'Differences',
  search: 'Search by order number',
  loadFailed: 'Failed to load differences. Please try again.',
  empty: 'No differences found',
  kinds,
  statuses: { open: 'Open', resolved: 'Resolved' },
  filters: {
    kind: { label: 'Kind', any: 'All kinds' },
    status: { label: 'Status', any: 'All statuses' },
    account: { label: 'Courier account', any: 'All accounts' },
    assignee: { label: 'Assignee', any: 'Everybody', none: 'Nobody' },
    act: { label: 'Act', any: 'All acts' },
  },
  columns: {
    orderno: 'Order',
    kind: 'Kind',
    status: 'Status',
    act: 'Act',
    settled_by: 'Settled by',
    expected: 'Expected',
    actual: 'Actual',
    difference: 'Difference',
    assignee: 'Assignee',
    created_at: 'Found',
    courier_account: 'Courier account',
    reason: 'Reason',
    resolved_by: 'Resolved by',
    resolved_at: 'Resolved',
  },
  none: '—',
})

export const differenceDetailTexts = defineMessages('settlementDifference', {
  loadFailed: 'Failed to load the difference. Please try again.',
  notes: 'Notes',
  note: 'Note',
  resolve: 'Resolve, with the note as the reason',
  resolveIt: 'Resolve',
  save: 'Save the note',
  saved: 'Note saved.',
  resolved: 'Difference resolved.',
  reopen: 'Reopen',
  reopened: 'Difference reopened.',
  assign: 'Assignee',
  assigned: 'Assignee saved.',
  nobody: 'Nobody',
  saving: 'Saving...',
  saveFailed: 'Failed to save the difference. Please try again.',
})
