import { defineMessages } from '../../lib/i18n/messages.ts'

export const stateDialogTexts = defineMessages('leadStatus', {
  title: {
    one: 'Change the state of {count, number} lead',
    other: 'Change the state of {count, number} leads',
  },
  status: 'Status',
  ofType: '{status} ({type})',
  comment: 'Comment',
  hint: 'Kept until the source sends a newer state. Each lead’s history records it.',
  submit: 'Change state',
  confirm: {
    one: 'Change the state of {count, number} lead to {status}?',
    other: 'Change the state of {count, number} leads to {status}?',
  },
  declined: 'Nothing was changed.',
  failed: 'Failed to change the state. Please try again.',
  changed: 'State changed',
  allChanged: { one: '{count, number} lead changed.', other: '{count, number} leads changed.' },
  someChanged: {
    one: '{count, number} lead changed, {unchanged, number} already had it.',
    other: '{count, number} leads changed, {unchanged, number} already had it.',
  },
})
