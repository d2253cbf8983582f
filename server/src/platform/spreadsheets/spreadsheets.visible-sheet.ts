import { readOleStreamStart } from '../files/content.ole.ts'
import { readPartStart } from '../files/content.zip.ts'
import type { WorkbookRequest } from './spreadsheets.batch.ts'

/** Bytes of the list of sheets, with what is before it. A workbook with a thousand sheets needs a tenth. */
const maxListBytes = 1024 * 1024

/** The place of a sheet in its workbook. `worksheet`: its place among the sheets that are no charts. */
interface SheetPlace {
  index: number
  worksheet: number
}

/** `isChart`: the sheet is a chart, a dialog or macros, and has no cells. */
interface SheetKind {
  isHidden: boolean
  isChart: boolean
}

/** A sheet of an old workbook. `start`: its place in the stream. */
interface XlsSheet extends SheetKind {
  start: number
}

/**
 * Finds the first visible sheet of a workbook that is no chart; the first sheet if there is none. The file must have passed
 * {@link checkContent}.
 */
export async function findVisibleSheet(workbook: WorkbookRequest): Promise<SheetPlace> {
  const [first = { index: 0, worksheet: 0 }] = await listVisibleSheets(workbook)
  return first
}

/** Lists the visible sheets of a workbook that are no charts, in their order, like {@link findVisibleSheet}. */
export async function listVisibleSheets({ path, extension }: WorkbookRequest): Promise<SheetPlace[]> {
  const sheets = extension === 'xlsx' ? await listXlsxSheets(path) : await listXlsSheets(path)
  const places: SheetPlace[] = []
  let worksheet = 0
  for (const [index, { isHidden, isChart }] of sheets.entries()) {
    if (isChart) continue
    if (!isHidden) places.push({ index, worksheet })
    worksheet += 1
  }
  return places.length > 0 ? places : [{ index: 0, worksheet: 0 }]
}

// Without `<` in the attributes, a list of tags that do not end takes linear time.
const sheetPattern = /<(?:\w+:)?sheet\s[^<>]*>/g
const relationshipPattern = /<(?:\w+:)?Relationship\s[^<>]*>/g
const hiddenPattern = /\sstate\s*=\s*["'](?:hidden|veryHidden)["']/
const sheetIdPattern = /\s\w+:id\s*=\s*["']([^"']*)["']/
const idPattern = /\sId\s*=\s*["']([^"']*)["']/
const otherTypePattern = /\sType\s*=\s*["'][^"']*\/(?:chartsheet|dialogsheet|xlMacrosheet)["']/

async function listXlsxSheets(path: string): Promise<SheetKind[]> {
  const findTags = async (part: string, pattern: RegExp) =>
    (await readPartStart(path, part, maxListBytes))?.toString('utf8').match(pattern) ?? []
  const relationships = await findTags('xl/_rels/workbook.xml.rels', relationshipPattern)
  const chartIds = new Set(
    relationships.filter((tag) => otherTypePattern.test(tag)).map((tag) => idPattern.exec(tag)?.[1]),
  )
  const sheets = await findTags('xl/workbook.xml', sheetPattern)
  return sheets.map((tag) => {
    const id = sheetIdPattern.exec(tag)?.[1]
    return { isHidden: hiddenPattern.test(tag), isChart: id !== undefined && chartIds.has(id) }
  })
}

// [MS-XLS] 2.4.28: a sheet has its visibility in the two lowest bits of a byte, 0 for a visible one, and its type in the
// next byte, 0 for one with cells.
const begin = 2057
const boundSheet = 133
const end = 10

const listXlsSheets = async (path: string): Promise<XlsSheet[]> =>
  listSheetsOfStream((await readOleStreamStart(path, 'Workbook', maxListBytes)) ?? Buffer.alloc(0))

/** A record has its id, its length and its data. */
function listSheetsOfStream(stream: Buffer): XlsSheet[] {
  // A stream below 4 kB is stored elsewhere. Spreadsheet programs write larger ones.
  if (stream.length < 4 || stream.readUInt16LE(0) !== begin) return []
  const sheets: XlsSheet[] = []
  for (let at = 0; at + 4 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
    const id = stream.readUInt16LE(at)
    if (id === end) break
    if (id === boundSheet && at + 8 <= stream.length)
      sheets.push({
        isHidden: ((stream[at + 8] ?? 0) & 3) !== 0,
        isChart: (stream[at + 9] ?? 0) !== 0,
        start: stream.readUInt32LE(at + 4),
      })
  }
  return sheets
}

/**
 * Opens the check of an old workbook's sheets. The check throws an Error for a sheet without an end, of which the reader of workbooks
 * returns the first rows. `maxBytes`: the bytes of the file.
 */
export async function openXlsEndCheck(path: string, maxBytes: number): Promise<(index: number) => void> {
  const stream = (await readOleStreamStart(path, 'Workbook', maxBytes)) ?? Buffer.alloc(0)
  const sheets = listSheetsOfStream(stream)
  return (index) => {
    const sheet = sheets[index]
    if (sheet !== undefined && !hasEnd(stream, sheet.start)) throw new Error('The sheet ends early')
  }
}

/** A chart in a sheet has a begin and an end of its own. */
function hasEnd(stream: Buffer, start: number): boolean {
  let depth = 0
  for (let at = start; at + 4 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
    const id = stream.readUInt16LE(at)
    if (id === begin) depth += 1
    if (id === end) depth -= 1
    if (depth <= 0) return id === end
  }
  return false
}
