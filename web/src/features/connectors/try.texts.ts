import type { TryAnswer } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { translate } from '../../lib/i18n/language.ts'

const parts: Readonly<Record<keyof TryAnswer, string>> = {
  sign_in: 'Sign-in',
  finance: 'Finance',
  offers: 'Offers',
  streams: 'Streams',
  orders: 'Orders',
}

export const resultTexts = translate({
  parts,
  results: 'What was found',
  ok: 'OK',
  failedPart: 'Failed',
  nothing: 'This credential describes nothing that could be tried.',
  problems: 'Could not be read',
  empty: '—',
})
