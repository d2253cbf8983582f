/** The index of a row in the sheet, from 0, and its cells as text. */
export type SheetRow = [index: number, cells: string[]]

export interface WorkbookRequest {
  path: string
  extension: 'xlsx' | 'xls'
}

/** A message of the worker thread. `isFailed`: the file is unreadable. */
export interface WorkbookBatch {
  rows: SheetRow[]
  isLast: boolean
  isFailed?: true
}
