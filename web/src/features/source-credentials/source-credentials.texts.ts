import { defineMessages } from '../../lib/i18n/messages.ts'

export const testTexts = defineMessages('sourceCredentials.test', {
  title: 'Test',
  hint: 'Signs in with the saved values and reads the first page of each list. Nothing is stored.',
  run: 'Test',
  running: 'Testing...',
  failed: 'Failed to test the source credential.',
  noWebsite: 'No CPA credential of this source has a connector, so the sign-in is unknown.',
})
