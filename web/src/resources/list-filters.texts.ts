import { defineMessages } from '../lib/i18n/messages.ts'

/** The labels of an empty choice in the filters of a resource's list. */
export const anyTexts = defineMessages('filters.any', {
  sources: 'All sources',
  courierAccounts: 'All accounts',
  users: 'All users',
  roles: 'All roles',
  statuses: 'All statuses',
  types: 'All types',
  state: 'Any state',
  origin: 'Any origin',
})

export const filterTexts = defineMessages('filters', {
  /** Date pickers are in Russian on every page (specification, section 1). */
  anyPeriod: 'Любой период',
  from: 'С {day}',
  until: 'По {day}',
  filters: 'Filters',
})
