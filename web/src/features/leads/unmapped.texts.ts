import { defineMessages } from '../../lib/i18n/messages.ts'

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
