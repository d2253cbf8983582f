import { checkContent } from '../files/content.check.ts'
import { readCsvRows } from './spreadsheets.csv.ts'
import { readDeclaredRowCount } from './spreadsheets.row-count.ts'
import type { SheetRow } from './spreadsheets.batch.ts'
import type { ImportProgress } from './spreadsheets.progress.ts'
import { readWorkbookRows } from './spreadsheets.workbook.ts'

/** A file with one sheet, of any type. */
export interface SheetFile {
  path: string
  extension: 'csv' | 'xlsx' | 'xls'
  /** Updated while the file is read. */
  progress?: ImportProgress
}

/**
 * Checks the content of a file and reads its rows without blank ones: index from 0, cells as text. `maxSeconds`
 * limits the time for a workbook. Errors: those of {@link checkContent}, and 422 `invalid` for an unreadable file.
 */
export async function* readSheetRows(file: SheetFile, maxSeconds = 30): AsyncGenerator<SheetRow[]> {
  await checkContent(file.path, file.extension)
  const { path, extension, progress } = file
  if (extension === 'csv') {
    yield* readCsvRows(path, (bytes) => progress?.addBytes(bytes))
    return
  }
  const rows = progress === undefined || extension === 'xls' ? null : await readDeclaredRowCount(path)
  for await (const batch of readWorkbookRows({ path, extension }, { maxSeconds })) {
    yield batch
    const [index] = batch.at(-1) ?? [0]
    if (rows !== null) progress?.advanceTo(index / rows)
  }
}
