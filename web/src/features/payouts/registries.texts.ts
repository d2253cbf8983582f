import { defineMessages } from '../../lib/i18n/messages.ts'

export const registryTexts = defineMessages('paymentRegistries', {
  title: 'Payment registries',
  search: 'Search by person',
  loadFailed: 'Failed to load payment registries. Please try again.',
  empty: 'No payment registries found',
  one: 'Payment registry #{id}',
  filters: {
    one: { label: 'Payment registry', any: 'All registries' },
    currency: { label: 'Currency', any: 'All currencies' },
  },
  columns: {
    id: 'Number',
    created_at: 'Sent',
    created_by: 'Sent by',
    payments: 'Payments',
    amount: 'Amount',
    sent: 'Waiting for the bank',
    paid: 'Paid',
    refused: 'Refused by the bank',
  },
  download: 'Download',
  complete: 'Each payment is paid or refused, so the payment details were removed.',
  showWithdrawals: 'Show the withdrawals',
})

export const sendTexts = defineMessages('sendToBank', {
  open: 'Send to the bank',
  title: 'Send approved withdrawals to the bank',
  loadFailed: 'Failed to load the approved withdrawals. Please try again.',
  none: 'No withdrawal is approved.',
  approved: { one: '{count, number} withdrawal, {amount}', other: '{count, number} withdrawals, {amount}' },
  send: 'Send',
  confirm: {
    one: 'Send {count, number} withdrawal, {amount}, to the bank? It can then only be paid or refused by the bank.',
    other:
      'Send {count, number} withdrawals, {amount}, to the bank? They can then only be paid or refused by the bank.',
  },
  sending: 'Sending...',
  failed: 'Failed to send the withdrawals. Please try again.',
  sent: {
    one: 'Payment registry #{id}: {count, number} withdrawal, {amount}.',
    other: 'Payment registry #{id}: {count, number} withdrawals, {amount}.',
  },
  remaining: {
    one: '{count, number} approved withdrawal is not in it. Withdrawals of people whose balance became too small are not sent.',
    other:
      '{count, number} approved withdrawals are not in it. Withdrawals of people whose balance became too small are not sent.',
  },
})
