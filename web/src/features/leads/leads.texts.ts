import { defineMessages } from '../../lib/i18n/messages.ts'

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

export const stateTexts = defineMessages('leadStatus', {
  open: 'Change state',
  tooMany: 'Change state: at most {most, number} at a time',
})
