import { defineMessages } from '../../lib/i18n/messages.ts'

const origins: Readonly<Record<string, string>> = {
  file: 'File',
  postback: 'Postback',
  connector: 'Connector',
  parcel: 'Parcel',
  mapping: 'Mapping of the source status',
  admin: 'Admin',
}

export const leadDetailTexts = defineMessages('lead', {
  title: 'Lead',
  failed: 'Failed to load lead. Please try again.',
  facts: {
    source: 'Source',
    offer: 'Offer',
    stream: 'Stream',
    sourceStatus: 'Source status',
    state: 'State',
    payout: 'Payout',
    created: 'Created',
    updated: 'Updated',
    comment: 'Comment',
    region: 'Region',
    cancelReason: 'Cancel reason',
  },
  bySource: 'Follows the source status',
  byHand: 'Set here; kept until the source sends a newer one',
  history: 'History',
  noSourceStatus: 'no source status',
  origins,
  payout: 'payout {amount}',
  shownOf: 'Showing {shown, number} of {total, number}',
  showMore: { more: 'Show more', loading: 'Loading...', failed: 'Failed to load more. Please try again.' },
})
