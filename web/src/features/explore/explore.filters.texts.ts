import { defineMessages } from '../../lib/i18n/messages.ts'

/** The texts of Explore that the list of leads has too. */
export const exploreFilterTexts = defineMessages('explore', {
  addFilter: 'Add a filter',
  dimensions: {
    day: 'Day',
    week: 'Week',
    month: 'Month',
    weekday: 'Weekday',
    hour: 'Hour',
    source: 'Source',
    offer: 'Offer',
    stream: 'Stream',
    buyer: 'Buyer',
    status: 'Status',
    region: 'Region',
    cancel_reason: 'Cancel reason',
    sub1: 'sub1',
    sub2: 'sub2',
    sub3: 'sub3',
  },
  without: {
    offer: 'Without offer',
    stream: 'Without stream',
    buyer: 'Without buyer',
    status: 'Without status',
    region: 'Without region',
    cancel_reason: 'Without cancel reason',
    sub1: 'Without sub1',
    sub2: 'Without sub2',
    sub3: 'Without sub3',
  },
})
