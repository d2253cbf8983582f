import { defineMessages } from '../../lib/i18n/messages.ts'

const statuses: Readonly<Record<string, string>> = { sent: 'Sent', queued: 'Queued', refused: 'Refused' }

const kinds: Readonly<Record<string, string>> = {
  problem: 'Needs attention',
  delivered: 'Delivered',
  digest: 'Digest',
  money: 'Money',
  alert: 'Alert',
  security: 'Account',
}

export const noticeTexts = defineMessages('notices', {
  title: 'Notices',
  loadFailed: 'Failed to load notices. Please try again.',
  search: 'Text',
  statuses,
  kinds,
  unsure: 'Telegram may have received it, but did not answer',
  filters: {
    kind: { label: 'Kind', any: 'All kinds' },
    status: { label: 'Status', any: 'All statuses' },
    user: { label: 'User', any: 'All users' },
  },
  columns: {
    text: 'Notice',
    created_at: 'Made',
    status: 'Status',
    attempts: 'Attempts',
    next_at: 'Next attempt',
    last_error: 'Last error',
    actions: 'Actions',
  },
  retry: 'Retry',
  retrying: 'Sending...',
  retried: 'Sending again',
  retryFailed: 'Failed to send the notice. Please try again.',
})
