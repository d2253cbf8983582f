import { checkContent } from '../content/content.check.ts'
import { csvRows } from './tables.csv.ts'
import type { SheetRow } from './tables.piece.ts'
import type { Progress } from './tables.progress.ts'
import { workbookRows } from './tables.workbook.ts'

/** The rows of a table in a file, whatever its kind, read piece by piece. */
export interface TableFile {
  path: string
  extension: 'csv' | 'xlsx' | 'xls'
  /** Told how far the reading is. */
  progress?: Progress
}

/**
 * Checks a file's content, then gives its rows that hold anything: index from 0 and cells as text.
 * `seconds` bounds the reading of a workbook. Errors: those of {@link checkContent}, and 422 `invalid` for
 * what cannot be read.
 */
export async function* tableRows(file: TableFile, seconds = 30): AsyncGenerator<SheetRow[]> {
  await checkContent(file.path, file.extension)
  if (file.extension === 'csv') yield* csvRows(file.path, (bytes) => file.progress?.read(bytes))
  else yield* workbookRows({ path: file.path, extension: file.extension }, seconds)
}
