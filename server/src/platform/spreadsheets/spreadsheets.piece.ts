/** A row's index in the sheet, from 0, and its cells as text. */
export type SheetRow = [index: number, cells: string[]]

export interface WorkbookAsked {
  path: string
  extension: 'xlsx' | 'xls'
}

/** What the workbook's thread sends; `failed` when the file could not be understood. */
export interface WorkbookPiece {
  rows: SheetRow[]
  last: boolean
  failed?: true
}
