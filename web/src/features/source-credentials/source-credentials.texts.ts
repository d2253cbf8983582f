import { translate } from '../../lib/i18n/language.ts'

export const testTexts = translate({
  title: 'Test',
  hint: 'Signs in and reads the first page of each list with what is saved. Nothing is stored.',
  run: 'Test',
  running: 'Testing...',
  failed: 'Failed to test the source credential.',
  noWebsite: 'No CPA credential of this source names a connector: nothing says how to sign in.',
})
