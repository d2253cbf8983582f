/** Text of one cell at the most; what Excel holds. */
const maxText = 32_767

/** What a spreadsheet library gives for a cell. */
export type RawCell = string | number | boolean | Date | null | undefined | object

/**
 * A cell as text, so that csv and workbooks read alike: numbers in plain decimal with at most the 15 digits
 * that a spreadsheet promises, times as `yyyy-mm-dd hh:mm:ss` of the sheet's own clock (no offset), blank ''.
 */
export function cellText(cell: RawCell): string {
  if (typeof cell === 'string') return cell.slice(0, maxText).trim()
  if (typeof cell === 'number') return numberText(cell)
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (cell instanceof Date) return timeText(cell)
  return ''
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) return ''
  const rounded = Number(value.toPrecision(15))
  if (Number.isInteger(rounded)) return BigInt(rounded).toString()
  const text = String(rounded)
  return text.includes('e') ? rounded.toFixed(20).replace(/0+$/, '') : text
}

/** The library keeps the sheet's clock in UTC fields; spreadsheets hold times to the millisecond at best. */
function timeText(time: Date): string {
  if (Number.isNaN(time.getTime())) return ''
  const iso = new Date(Math.round(time.getTime() / 1000) * 1000).toISOString()
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
}
