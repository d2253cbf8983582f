import { defineMessages } from '../../lib/i18n/messages.ts'

const statuses: Readonly<Record<string, string>> = {
  scanning: 'Waits for the virus scanner',
  sent: 'Sent',
  queued: 'Queued',
  refused: 'Refused',
}

export const queueTexts = defineMessages('uploads', {
  title: 'Uploads',
  loadFailed: 'Failed to load uploads. Please try again.',
  search: 'File name',
  statuses,
  unsure: 'Telegram may have received it, but did not answer',
  filters: {
    status: { label: 'Status', any: 'All statuses' },
    user: { label: 'User', any: 'All users' },
  },
  columns: {
    created_at: 'Uploaded',
    name: 'File',
    user: 'User',
    status: 'Status',
    attempts: 'Attempts',
    next_at: 'Next attempt',
    last_error: 'Last error',
    actions: 'Actions',
  },
  retry: 'Retry',
  retrying: 'Sending...',
  retried: 'Sending again',
  retryFailed: 'Failed to send the upload. Please try again.',
  fileRemoved: 'File removed: {at}',
  download: 'Download',
  downloading: 'Downloading...',
  downloadFailed: 'Failed to download the file.',
})
