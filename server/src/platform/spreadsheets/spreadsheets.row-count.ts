import { readPartStart } from '../files/content.zip.ts'
import { findVisibleSheet } from './spreadsheets.visible-sheet.ts'

/** The first bytes of a sheet, which have its dimension if it is declared. */
const headBytes = 4096
const dimensionPattern = /<dimension [^>]*ref="[A-Z]+\d+:[A-Z]+(\d+)"/

/**
 * Reads the row count that the first visible sheet of a workbook declares; null without a declaration, for instance from
 * programs that stream rows. The file must have passed {@link checkContent}.
 */
export async function readDeclaredRowCount(path: string): Promise<number | null> {
  // Spreadsheet programs number the parts in the order of the sheets.
  const { worksheet } = await findVisibleSheet({ path, extension: 'xlsx' })
  const name = `xl/worksheets/sheet${worksheet + 1}.xml`
  const head = await readPartStart(path, name, headBytes)
  const rows = Number(dimensionPattern.exec(head?.toString('latin1') ?? '')?.[1])
  return rows > 0 ? rows : null
}
