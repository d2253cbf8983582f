import { defineMessages } from '../../lib/i18n/messages.ts'

export const sourceTexts = defineMessages('cpaSources', {
  address: 'Postback address',
  hint: 'For the network’s settings. Anyone who has it can report leads of this source.',
  copy: 'Copy',
  copied: 'Address copied',
  copyFailed: 'The browser does not allow copying: the address is selected, press Ctrl C.',
  rotate: 'Rotate key',
  rotating: 'Rotating...',
  confirm: 'Rotate the key of this source?',
  consequence: 'The current address stops working at once. Give the network the new one.',
  rotated: 'Key rotated',
  next: 'Give the network the new address.',
  failed: 'Failed to rotate the key. Please try again.',
})
