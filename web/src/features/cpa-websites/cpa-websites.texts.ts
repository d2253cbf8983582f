import { defineMessages } from '../../lib/i18n/messages.ts'

export const tryTexts = defineMessages('cpaWebsites.test', {
  title: 'Test',
  hint: 'Signs in with the values of this form, saved or not, and reads the first page of each list. Nothing is stored.',
  credential: 'Source credential',
  typed: 'Another login',
  login: 'Login',
  pass: 'Password',
  run: 'Test',
  running: 'Testing...',
  failed: 'Failed to test the credential.',
  noConnector: 'None: nothing is fetched',
  mappingHint: 'JSON that overrides the connector’s description, member by member.',
})
