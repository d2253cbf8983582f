import { defineMessages } from '../lib/i18n/messages.ts'

export const passwordTexts = defineMessages('password', {
  current: 'Current password',
})
