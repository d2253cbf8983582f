import { readOleStreamStart } from '../files/content.ole.ts'
import { readPartStart } from '../files/content.zip.ts'
import type { WorkbookRequest } from './spreadsheets.batch.ts'

/** Bytes of the list of sheets, with what is before it. A workbook with a thousand sheets needs a tenth. */
const maxListBytes = 1024 * 1024

/**
 * The index of the first visible sheet of a workbook, which a person sees as its first one; 0 if all are hidden. The file
 * must have passed {@link checkContent}.
 */
export async function findVisibleSheet({ path, extension }: WorkbookRequest): Promise<number> {
  const isHidden = extension === 'xlsx' ? await listXlsxSheets(path) : await listXlsSheets(path)
  return Math.max(0, isHidden.indexOf(false))
}

const sheetPattern = /<(?:\w+:)?sheet\s[^>]*>/g
const hiddenPattern = /\sstate\s*=\s*["'](?:hidden|veryHidden)["']/

/** Whether each sheet is hidden. */
async function listXlsxSheets(path: string): Promise<boolean[]> {
  const list = await readPartStart(path, 'xl/workbook.xml', maxListBytes)
  const sheets = list?.toString('utf8').match(sheetPattern) ?? []
  return sheets.map((sheet) => hiddenPattern.test(sheet))
}

// [MS-XLS] 2.4.28: a sheet has its visibility in the two lowest bits of a byte, 0 for a visible one.
const begin = 2057
const boundSheet = 133
const endOfGlobals = 10

/** Whether each sheet is hidden. A record has its id, its length and its data. */
async function listXlsSheets(path: string): Promise<boolean[]> {
  const stream = (await readOleStreamStart(path, 'Workbook', maxListBytes)) ?? Buffer.alloc(0)
  // A stream below 4 kB is stored elsewhere. Spreadsheet programs write larger ones.
  if (stream.length < 4 || stream.readUInt16LE(0) !== begin) return []
  const isHidden: boolean[] = []
  for (let at = 0; at + 4 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
    const id = stream.readUInt16LE(at)
    if (id === endOfGlobals) break
    if (id === boundSheet) isHidden.push(((stream[at + 8] ?? 0) & 3) !== 0)
  }
  return isHidden
}
