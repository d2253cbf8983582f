import { translate } from '../../lib/i18n/language.ts'

export const tryTexts = translate({
  title: 'Try',
  hint: 'Signs in and reads the first page of each list with what this form says, saved or not. Nothing is stored.',
  credential: 'Source credential',
  typed: 'Another login',
  login: 'Login',
  pass: 'Password',
  run: 'Try',
  running: 'Trying...',
  failed: 'Failed to try the credential.',
  noConnector: 'None: nothing is fetched',
  mappingHint: 'JSON that takes the place of what the connector says, member by member.',
})
