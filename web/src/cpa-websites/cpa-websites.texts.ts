import type { TryAnswer } from '@karvon/contract/cpa-websites/cpa-websites.ts'

const parts: Readonly<Record<keyof TryAnswer, string>> = {
  sign_in: 'Sign-in',
  finance: 'Finance',
  offers: 'Offers',
  streams: 'Streams',
  orders: 'Orders',
}

export const tryTexts = {
  title: 'Try',
  hint: 'Signs in and reads the first page of each list with what this form says, saved or not. Nothing is stored.',
  parts,
  credential: 'Source credential',
  typed: 'Another login',
  login: 'Login',
  pass: 'Password',
  run: 'Try',
  running: 'Trying...',
  results: 'What was found',
  ok: 'OK',
  failedPart: 'Failed',
  failed: 'Failed to try the credential.',
  nothing: 'This credential describes nothing that could be tried.',
  problems: 'Could not be read',
  empty: '—',
  noConnector: 'None: nothing is fetched',
  mappingHint: 'JSON that takes the place of what the connector says, member by member.',
}
