import type { RowProblem } from '@karvon/contract/lib/import.ts'
import { maxLine, maxPreviewCell } from '@karvon/contract/lib/limits.ts'
import { readOrderSheet, type OrderFile } from './parcels.sheet.ts'

/** Maximum time in seconds to read a workbook, while a person waits. */
const maxReadSeconds = 3.5

/** Reads an order file and stores nothing. A file without order columns gives no headings. */
export async function previewOrders(file: OrderFile): Promise<{
  recognised: { heading: string; column: string }[]
  unrecognised: string[]
  rows: { row: number; values: Record<string, string> }[]
  total: number
  skipped: number
  errors: RowProblem[]
}> {
  const sheet = await readOrderSheet(file, maxReadSeconds)
  if (sheet === null) return { recognised: [], unrecognised: [], rows: [], total: 0, skipped: 0, errors: [] }
  const { headings, columns, first, rows: total, problems } = sheet
  const knownPositions = new Set(columns.values())
  return {
    recognised: [...columns].map(([column, at]) => ({
      heading: headings[at]?.slice(0, maxLine) ?? '',
      column,
    })),
    unrecognised: headings
      .filter((heading, at) => heading.trim() !== '' && !knownPositions.has(at))
      .map((heading) => heading.slice(0, maxLine)),
    rows: first.map((row) => ({
      row: row.row,
      values: Object.fromEntries(
        [...columns.keys()].map((column) => [column, row.readText(column).slice(0, maxPreviewCell)]),
      ),
    })),
    total,
    skipped: problems.skipped,
    errors: problems.errors,
  }
}
