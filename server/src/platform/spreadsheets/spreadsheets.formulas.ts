import { readPart } from '../files/content.zip.ts'

/**
 * A cell with a formula and without a value, as programs write it that do not calculate. A formula whose value is an empty text has
 * the type `str`. Without `<` in the parts, the search takes linear time.
 */
const cellPattern = /<c\s([^<>]*)>\s*<f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/f>)\s*(?:<v\s*\/>|<v>\s*<\/v>)?\s*<\/c>/g
const placePattern = /(?:^|\s)r="([A-Z]{1,3})(\d{1,7})"/
const textPattern = /(?:^|\s)t="str"/

/** The end of a sheet. */
const endPattern = /<\/(?:\w+:)?worksheet\s*>\s*$/

/** Characters of an unfinished cell that wait for the next chunk. A formula has at most 8,192. */
const maxPendingCharacters = 65_536
/** More than the columns of a sheet. */
const rowSize = 32_768

/** The cells of a sheet whose formulas have no stored value. */
export class UncalculatedCells {
  private readonly places = new Set<number>()

  /** `row` and `column` count from 0. */
  has(row: number, column: number): boolean {
    return this.places.has(row * rowSize + column)
  }

  /** Adds the cells of a part of the sheet's XML. */
  add(xml: string): void {
    if (!xml.includes('<f')) return
    for (const [, attributes = ''] of xml.matchAll(cellPattern)) {
      const [, letters, row] = placePattern.exec(attributes) ?? []
      if (letters === undefined || textPattern.test(attributes)) continue
      this.places.add((Number(row) - 1) * rowSize + readColumn(letters))
    }
  }
}

/** The place of a column from 0: `A` is 0, `AA` is 26. */
function readColumn(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/**
 * Reads which cells of a worksheet have a formula without a value. The reader of workbooks returns such a cell like a blank one.
 * `worksheet`: the place of the sheet, by which spreadsheet programs number the parts. The file must have passed {@link checkContent}.
 * Throws an Error for a sheet that ends early, of which the reader of workbooks returns the first rows.
 */
export async function findUncalculatedCells(path: string, worksheet: number): Promise<UncalculatedCells> {
  const cells = new UncalculatedCells()
  let pending = ''
  let isPresent = false
  for await (const chunk of readPart(path, `xl/worksheets/sheet${worksheet + 1}.xml`)) {
    // References are in ASCII, so bytes of other letters do not matter.
    const xml = pending + chunk.toString('latin1')
    const end = xml.lastIndexOf('</c>') + 1
    cells.add(xml.slice(0, end + 3))
    pending = xml.slice(end).slice(-maxPendingCharacters)
    isPresent = true
  }
  if (isPresent && !endPattern.test(pending.slice(-100))) throw new Error('The sheet ends early')
  return cells
}
