import { defineMessages } from '../../lib/i18n/messages.ts'

const origins: Readonly<Record<string, string>> = {
  file: 'File',
  postback: 'Postback',
  connector: 'Connector',
  parcel: 'Parcel',
  mapping: 'Mapping of the source status',
  admin: 'Admin',
}

export const leadTexts = defineMessages('leads', {
  title: 'Leads',
  search: 'External id starts with',
  sourceStatus: 'Source status',
  loadFailed: 'Failed to load leads. Please try again.',
  filters: {
    source: { label: 'Source', any: 'All sources' },
    offer: { label: 'Offer', any: 'All offers' },
    stream: { label: 'Stream', any: 'All streams' },
    state: { label: 'State', any: 'All states' },
  },
  noColumn: 'In no column',
  columns: {
    external_id: 'External id',
    created_at: 'Created',
    source: 'Source',
    offer: 'Offer',
    stream: 'Stream',
    sourceStatus: 'Source status',
    status: 'Status',
    payout: 'Payout',
  },
})

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

export const stateTexts = defineMessages('leadStatus', {
  open: 'Change state',
  tooMany: 'Change state: at most {most, number} at a time',
  title: {
    one: 'Change the state of {count, number} lead',
    other: 'Change the state of {count, number} leads',
  },
  status: 'Status',
  comment: 'Comment',
  hint: 'Kept until the source sends a newer state. Each lead’s history records it.',
  submit: 'Change state',
  confirm: {
    one: 'Change the state of {count, number} lead to {status}?',
    other: 'Change the state of {count, number} leads to {status}?',
  },
  declined: 'Nothing was changed.',
  failed: 'Failed to change the state. Please try again.',
  changed: 'State changed',
  allChanged: { one: '{count, number} lead changed.', other: '{count, number} leads changed.' },
  someChanged: {
    one: '{count, number} lead changed, {unchanged, number} already had it.',
    other: '{count, number} leads changed, {unchanged, number} already had it.',
  },
})

export const unmappedTexts = defineMessages('unmappedStatuses', {
  title: 'Unmapped statuses',
  loadFailed: 'Failed to load unmapped statuses. Please try again.',
  empty: 'Every source status is mapped.',
  search: 'Source status',
  source: { label: 'Source', any: 'All sources' },
  columns: { sourceStatus: 'Source status', source: 'Source', leads: 'Leads', status: 'Map to' },
  map: 'Status for {sourceStatus} of {source}',
  choose: 'Choose a status',
  mapped: 'Source status mapped',
  undo: '“{sourceStatus}” of {source} now counts as {status}. To undo, delete it in Settings, Statuses, Source statuses.',
  none: 'no source status',
})
