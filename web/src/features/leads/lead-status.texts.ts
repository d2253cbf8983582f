import { reportColumnNames } from '@karvon/contract/lib/report-columns.ts'
import { defineMessages } from '../../lib/i18n/messages.ts'

/** The names of a lead's status by its report column. `none` is for a source status without a mapping. */
export const leadStatusTexts = defineMessages('leadStatus.columns', {
  ...reportColumnNames,
  none: 'Unmapped',
})
