import type { TryAnswer } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { defineMessages } from '../../lib/i18n/messages.ts'

const parts: Readonly<Record<keyof TryAnswer, string>> = {
  sign_in: 'Sign-in',
  finance: 'Finance',
  offers: 'Offers',
  streams: 'Streams',
  orders: 'Orders',
  transactions: 'Transactions',
  withdrawals: 'Withdrawals',
}

export const resultTexts = defineMessages('connectors.test', {
  parts,
  results: 'Results',
  ok: 'OK',
  failedPart: 'Failed',
  nothing: 'This credential describes nothing to test.',
  problems: 'Could not be read',
  empty: '—',
})
