import type { RowProblem } from '@karvon/contract/lib/import.ts'
import { translateServerMessage } from '../../lib/server-messages.ts'
import type { ReportTexts } from './import.texts.ts'

/** A cell of a csv. An apostrophe precedes a value that Excel would read as a formula. */
function cell(value: string | number): string {
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The skipped rows with their reasons, as a csv that Excel opens in the right encoding. */
export function problemsCsv(errors: readonly RowProblem[], texts: ReportTexts): Blob {
  const lines = [
    [texts.row, texts.field, texts.message],
    ...errors.map((problem) => [problem.row, problem.field, translateServerMessage(problem)]),
  ]
  const text = lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('')
  return new Blob(['\uFEFF', text], { type: 'text/csv; charset=utf-8' })
}
