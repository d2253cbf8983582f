import { defineMessages } from '../../lib/i18n/messages.ts'

export const statusTexts = defineMessages('statuses', {
  recount: 'Recount {percent}%',
  hint: 'The reports move the leads of this status to its new type, newest leads first.',
})
