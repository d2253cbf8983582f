import { formatBytes } from '../../lib/format/number.format.ts'
import { translate } from '../../lib/i18n/language.ts'

/** Texts of an export, on admin pages and reports. The parcels screen has its own. */
export const exportTexts = translate({
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
