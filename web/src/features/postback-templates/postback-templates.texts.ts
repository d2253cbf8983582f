import { defineMessages } from '../../lib/i18n/messages.ts'

export const templateTexts = defineMessages('postbackTemplates', {
  filters: { stream_id: 'All streams', state: 'All states' },
  state: 'The new state of the lead; empty for every change.',
  url: 'Filled in with the lead’s values: {macros}, {first} to {last}, {click}.',
})
