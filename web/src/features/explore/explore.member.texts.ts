import { defineMessages } from '../../lib/i18n/messages.ts'

/** The texts of the keys of dimensions and of a filter that is set. */
export const exploreMemberTexts = defineMessages('explore', {
  filterValue: 'Filter: {name}',
  filterPrefix: '{name}:',
  any: 'Any {name}',
  rest: 'The rest',
  none: 'None',
  weekdays: {
    1: 'Monday',
    2: 'Tuesday',
    3: 'Wednesday',
    4: 'Thursday',
    5: 'Friday',
    6: 'Saturday',
    7: 'Sunday',
  },
})
