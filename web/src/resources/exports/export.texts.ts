import { defineMessages } from '../../lib/i18n/messages.ts'

/** Texts of an export, on admin pages and reports. The parcels screen has its own. */
export const exportTexts = defineMessages('export', {
  open: 'Export',
  kinds: { csv: 'CSV', xlsx: 'Excel' },
  running: 'Exporting {file}',
  soFar: '{size} so far',
  units: { kilobyte: 'kB', megabyte: 'MB', gigabyte: 'GB', decimalMark: '.' },
  cancel: 'Cancel',
  done: 'Export finished',
  failed: 'Export failed',
})

export type ExportTexts = typeof exportTexts
