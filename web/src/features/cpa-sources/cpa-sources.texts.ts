import { translate } from '../../lib/i18n/language.ts'

export const sourceTexts = translate({
  address: 'Postback address',
  hint: 'For the network’s settings. Whoever has it can report leads of this source.',
  copy: 'Copy',
  copied: 'Address copied',
  copyFailed: 'The browser does not allow copying: the address is selected, press Ctrl C.',
  rotate: 'Rotate key',
  rotating: 'Rotating...',
  confirm: 'Rotate the key of this source?',
  consequence: 'The address of now stops working at once. The network must be given the new one.',
  rotated: 'Key rotated',
  next: 'Give the network the new address.',
  failed: 'Failed to rotate the key. Please try again.',
})
