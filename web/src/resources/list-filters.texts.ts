import { translate } from '../lib/i18n/language.ts'

/** The labels of an empty choice in the filters of a resource's list. */
export const anyTexts = translate({
  sources: 'All sources',
  users: 'All users',
  roles: 'All roles',
  statuses: 'All statuses',
  types: 'All types',
  state: 'Any state',
  origin: 'Any origin',
})

/** Date pickers are in Russian on every page (specification, section 1). */
export const filterTexts = translate({ anyPeriod: 'Любой период' })
