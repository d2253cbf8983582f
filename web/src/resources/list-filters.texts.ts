import { speak } from '../lib/i18n/language.ts'

/** What stands for no choice in the filters of a resource's list. */
export const anyTexts = speak({
  sources: 'All sources',
  users: 'All users',
  roles: 'All roles',
  statuses: 'All statuses',
  types: 'All types',
  state: 'Any state',
  origin: 'Any origin',
})

/** Date pickers speak Russian on every page (specification, section 1). */
export const filterTexts = speak({ anyPeriod: 'Любой период' })
