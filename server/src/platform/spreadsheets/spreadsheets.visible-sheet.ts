import { readPartStart } from '../files/content.zip.ts'

/** Bytes of the list of sheets. A workbook with a thousand sheets needs a tenth. */
const maxListBytes = 1024 * 1024
const sheetPattern = /<(?:\w+:)?sheet\s[^>]*>/g
const hiddenPattern = /\sstate\s*=\s*["'](?:hidden|veryHidden)["']/

/**
 * The index of the first visible sheet of a workbook (xlsx), which a person sees as its first one; 0 if all are hidden.
 * The file must have passed {@link checkContent}.
 */
export async function findVisibleSheet(path: string): Promise<number> {
  const list = await readPartStart(path, 'xl/workbook.xml', maxListBytes)
  const sheets = list?.toString('utf8').match(sheetPattern) ?? []
  return Math.max(
    0,
    sheets.findIndex((sheet) => !hiddenPattern.test(sheet)),
  )
}
