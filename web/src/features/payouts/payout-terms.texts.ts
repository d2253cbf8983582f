import { defineMessages } from '../../lib/i18n/messages.ts'

export const payoutTermsTexts = defineMessages('payoutTerms', {
  title: 'Payout terms',
  search: 'Search by person or offer',
  loadFailed: 'Failed to load payout terms. Please try again.',
  empty: 'No payout terms found',
  everybody: 'Everybody',
  allOffers: 'All offers',
  none: '—',
  filters: {
    user: { label: 'Person', any: 'Everybody' },
    offer: { label: 'Offer', any: 'All offers' },
  },
  columns: {
    user: 'Person',
    offer: 'Offer',
    valid_from: 'Valid from',
    earned_at: 'Earned at',
    earns: 'Earns',
    hold_days: 'Days on hold',
    minimum: 'Smallest withdrawal',
    created_by: 'Created by',
    created_at: 'Created',
  },
  states: { sold: 'Sold', delivered: 'Sold and delivered' },
  share: '{percent}% of the payout',
  of: '{who}, {what}',
})

export const payoutTermsFormTexts = defineMessages('payoutTermsForm', {
  open: 'New payout terms',
  userHint: 'Empty: for everybody.',
  offerHint: 'Empty: for all offers.',
  validFromHint: 'A day from which no leads are stored.',
  share: 'Share of the payout, %',
  range: 'From 0 to {max, number}',
  fixed: 'Fixed amount',
  eitherHint: 'Either a share or a fixed amount.',
  currencyHint: 'Of the fixed amount. Empty: that of each lead.',
  minimumHint: 'In the main currency. Other currencies have none.',
  saved: 'Payout terms saved.',
  remove: 'Delete',
  removing: 'Deleting...',
  confirmRemove: 'Delete the payout terms of {who}?',
  removed: 'Payout terms deleted.',
  removeFailed: 'Failed to delete payout terms. Please try again.',
})
