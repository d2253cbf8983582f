import { formatBytes, formatNumber } from '../../lib/format/number.format.ts'
import { translate } from '../../lib/i18n/language.ts'

/** Texts of an import, on admin pages. The parcels screen has its own. */
export const importTexts = translate({
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
  again: 'Rows that are in already stay; importing the file again doubles nothing.',
  sending: (file: string) => `Sending ${file}`,
  working: (file: string) => `Importing ${file}`,
  sent: (sent: number, total: number) => `${formatBytes(sent)} of ${formatBytes(total)}`,
  rows: (rows: number) => `${formatNumber(rows)} rows so far`,
  stop: 'Stop',
  stopped: 'Stopped: nothing of the file was imported.',
  background: 'You may close this window: the import goes on.',
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
    first: (listed: number, all: number) =>
      `The first ${formatNumber(listed)} of ${formatNumber(all)} skipped rows.`,
    reasonsLost:
      'The connection broke off, and the reasons of the skipped rows with it: import the file again.',
  },
})

export type ImportTexts = typeof importTexts
export type ReportTexts = ImportTexts['report']
