import { defineMessages } from '../../lib/i18n/messages.ts'

/** Texts of an import, on admin pages. The parcels screen has its own. */
export const importTexts = defineMessages('import', {
  open: 'Import',
  title: 'Import',
  source: 'Source',
  file: 'File (csv or xlsx)',
  template: 'Download template:',
  kinds: { csv: 'CSV', xlsx: 'Excel' },
  templateFailed: 'Failed to download the template.',
  submit: 'Import',
  loading: 'Importing...',
  failed: 'Failed to import the file.',
  sourcesFailed: 'Failed to load sources.',
  again: 'Imported rows stay. Importing the file again creates no duplicates.',
  sending: 'Sending {file}',
  working: 'Importing {file}',
  sent: '{sent} of {total}',
  units: { kilobyte: 'kB', megabyte: 'MB', gigabyte: 'GB', decimalMark: '.' },
  rows: '{rows, number} rows so far',
  stop: 'Stop',
  stopped: 'Stopped: nothing of the file was imported.',
  background: 'You may close this window: the import continues.',
  finished: 'Import finished',
  report: {
    label: 'Result of the import',
    imported: 'New',
    updated: 'Updated',
    unchanged: 'Unchanged',
    skipped: 'Skipped',
    problems: 'Rows that were skipped',
    row: 'Row',
    field: 'Field',
    message: 'Reason',
    save: 'Save as csv',
    first: 'The first {listed, number} of {all, number} skipped rows.',
    reasonsLost:
      'The connection was lost, and with it the reasons of the skipped rows. Import the file again.',
  },
})

export type ImportTexts = typeof importTexts
export type ReportTexts = ImportTexts['report']
