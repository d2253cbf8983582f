import { defineMessages } from '../../lib/i18n/messages.ts'

const statuses: Readonly<Record<string, string>> = {
  queued: 'Queued',
  sent: 'Sent',
  same: 'Already sent',
  refused: 'Refused',
}

export const outgoingTexts = defineMessages('outgoingPostbacks', {
  title: 'Outgoing log',
  loadFailed: 'Failed to load outgoing postbacks. Please try again.',
  search: 'External id starts with',
  statuses,
  filters: {
    template: { label: 'Template', any: 'All templates' },
    status: { label: 'Status', any: 'All statuses' },
  },
  columns: {
    created_at: 'Time',
    template: 'Template',
    lead: 'Lead',
    state: 'State',
    url: 'URL',
    status: 'Status',
    attempts: 'Attempts',
    answer: 'Answer',
    retry: 'Retry',
  },
  noState: 'Any other',
  answered: 'HTTP {status}',
  facts: {
    sourceStatus: 'Source status',
    error: 'Last error',
    next: 'Next attempt',
    sent: 'Sent',
  },
  retry: 'Retry',
  retrying: 'Sending...',
  retried: 'Postback: {status}',
  retryFailed: 'Failed to send postback. Please try again.',
})
