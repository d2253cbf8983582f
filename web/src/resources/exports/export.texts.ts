import { formatBytes } from '../../lib/format/number.format.ts'
import { speak } from '../../lib/i18n/language.ts'

/** Of an export, on admin pages and reports; the parcels screen has its own. */
export const exportTexts = speak({
  open: 'Export',
  kinds: { csv: 'CSV', xlsx: 'Excel' },
  running: (file: string) => `Exporting ${file}`,
  size: (bytes: number) => formatBytes(bytes),
  soFar: (size: string) => `${size} so far`,
  cancel: 'Cancel',
  done: 'Export finished',
  failed: 'Export failed',
})

export type ExportTexts = typeof exportTexts
