import { defineMessages } from '../../lib/i18n/messages.ts'

export const connectorTexts = defineMessages('connectors', {
  builtIn:
    'Built in: it comes with the product and cannot be changed. A CPA credential’s mapping overrides it.',
  code: 'Code',
  name: 'Name',
  description: 'Description',
  hint: 'JSON: how to sign in, where the lists are, and which field is which.',
})
