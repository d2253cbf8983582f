import { defineMessages } from '../../lib/i18n/messages.ts'

const kinds: Readonly<Record<string, string>> = {
  network: 'Network',
  courier: 'Courier account',
  person: 'Person',
  margin: 'Margin',
  fees: 'Fees',
  adjustments: 'Adjustments',
  unassigned: 'Parcels without an owner',
  paid: 'Payments',
}

const causes: Readonly<Record<string, string>> = {
  lead: 'Lead',
  settlement_line: 'Act line',
  settlement_act: 'Settlement act',
  network_transaction: 'Network transaction',
  withdrawal: 'Withdrawal',
  adjustment: 'Adjustment',
}

export const ledgerTexts = defineMessages('ledger', {
  kinds,
  causes,
  /** One row: `Lead #12`. */
  numbered: '{name} #{id}',
  actLine: 'Act line {orderno}',
  /** An account as an option of a select. */
  account: '{kind}: {name}',
  none: '—',
  currency: 'Currency',
  currencyInvalid: 'Enter a currency code of ISO 4217, such as UZS',
  filters: {
    kind: { label: 'Account', any: 'All accounts' },
    owner: { label: 'Owner', any: 'All owners' },
    currency: { label: 'Currency', any: 'All currencies' },
    cause: { label: 'Cause', any: 'All causes' },
    causeId: { label: 'Row', any: 'All rows' },
    statement: { label: 'Statement', any: 'All periods' },
  },
})

export const ledgerAccountsTexts = defineMessages('ledgerAccounts', {
  title: 'Accounts',
  search: 'Search by name',
  loadFailed: 'Failed to load accounts. Please try again.',
  empty: 'No accounts found',
  at: 'At the end of',
  now: 'Balances now.',
  atEndOf: 'Balances at the end of {day}.',
  signs: 'A positive balance is what others owe us. A negative balance is what we owe.',
  columns: {
    name: 'Account',
    balance: 'Balance',
    on_hold: 'On hold',
    entries: 'Entries',
  },
})

export const entriesTexts = defineMessages('ledgerEntries', {
  title: 'Entries',
  loadFailed: 'Failed to load entries. Please try again.',
  empty: 'No entries found',
  /** Money that waits for the delivery of its parcel. */
  unknownDay: 'Not known yet',
  columns: {
    created_at: 'Posted',
    account: 'Account',
    amount: 'Amount',
    cause: 'Cause',
    available_on: 'Available on',
  },
})

export const adjustmentTexts = defineMessages('adjustment', {
  open: 'Adjust',
  title: 'Adjust an account',
  account: 'Account',
  amount: 'Amount',
  amountHint: 'It is added to the balance. What we owe has a minus.',
  reason: 'Reason',
  reasonHint: 'A person whose account it is reads it in the own history.',
  confirm: 'Post {amount} to the account? An entry is never deleted.',
  saved: 'The account is adjusted.',
})
