import { checkContent } from '../files/content.check.ts'
import { csvRows } from './spreadsheets.csv.ts'
import { rowsSaid } from './spreadsheets.dimension.ts'
import type { SheetRow } from './spreadsheets.piece.ts'
import type { Progress } from './spreadsheets.progress.ts'
import { workbookRows } from './spreadsheets.workbook.ts'

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
  const { path, extension, progress } = file
  if (extension === 'csv') {
    yield* csvRows(path, (bytes) => progress?.read(bytes))
    return
  }
  const rows = progress === undefined || extension === 'xls' ? null : await rowsSaid(path)
  for await (const piece of workbookRows({ path, extension }, { seconds })) {
    yield piece
    const [index] = piece.at(-1) ?? [0]
    if (rows !== null) progress?.reached(index / rows)
  }
}
