import type { ImportAnswer, RowProblem } from '@karvon/contract/lib/import.ts'
import { maxRowProblems } from '@karvon/contract/lib/limits.ts'
import { invalid } from '../http/errors.ts'
import { original } from '../exports/exports.cells.ts'
import { matchHeadings, type Columns, type Headings } from './spreadsheets.headings.ts'
import { Progress, type Taken } from './spreadsheets.progress.ts'
import { tableRows, type TableFile } from './spreadsheets.read.ts'
import type { Reading } from './spreadsheets.values.ts'

/** The rows of a file that were not taken: all are counted, the first {@link maxRowProblems} listed. */
export class RowProblems {
  skipped = 0
  readonly errors: RowProblem[] = []

  /** One row with everything that is wrong with it. */
  add(problems: readonly RowProblem[]): void {
    this.skipped++
    this.errors.push(...problems.slice(0, maxRowProblems - this.errors.length))
  }
}

/** One row of a file, read column by column; `row` counts from 1 after the heading. */
export class RowReader<K extends string> {
  readonly row: number
  readonly problems: RowProblem[] = []
  readonly #columns: ReadonlyMap<string, number>
  readonly #cells: readonly string[]

  constructor(row: number, columns: Columns<K>, cells: readonly string[]) {
    this.row = row
    this.#columns = columns
    this.#cells = cells
  }

  /** The cell's text, without the mark that an export puts before it; '' where the file has no such column. */
  text(key: K): string {
    const at = this.#columns.get(key)
    return at === undefined ? '' : original(this.#cells[at] ?? '')
  }

  /** The value that `read` makes of a cell; null where it is empty or wrong, which is noted. */
  optional<T>(key: K, read: (text: string) => Reading<T>): T | null {
    const text = this.text(key)
    if (text === '') return null
    const { value, problem } = read(text)
    if (problem === undefined) return value
    this.fail(key, problem)
    return null
  }

  /** As {@link optional}, and an empty cell is a problem too. */
  required<T>(key: K, read: (text: string) => Reading<T>): T | null {
    if (this.text(key) === '') this.fail(key, 'is required')
    return this.optional(key, read)
  }

  fail(key: K, problem: string): void {
    this.problems.push({ row: this.row, field: key, message: `${key} ${problem}` })
  }
}

export interface TableImport<K extends string, Item> {
  file: TableFile
  headings: Headings<K>
  required: readonly K[]
  /** One row as an item, or null when it noted a problem. */
  read: (row: RowReader<K>) => Item | null
  batch: number
  take: (items: Item[]) => Promise<Taken>
}

/**
 * Reads a table whose first row names its columns and takes it in batch by batch, so that memory does not
 * grow with the file. A row that cannot be read is noted and left out. Answers what became of the rows.
 * Errors: 422 `invalid` for an empty file or a missing column, and those of {@link tableRows}.
 */
export async function importTable<K extends string, Item>(
  asked: TableImport<K, Item>,
): Promise<ImportAnswer> {
  const progress = asked.file.progress ?? new Progress(0)
  const problems = new RowProblems()
  let heading: { index: number; columns: Columns<K> } | undefined
  let items: Item[] = []
  for await (const piece of tableRows(asked.file)) {
    for (const [index, cells] of piece) {
      if (heading === undefined) {
        heading = { index, columns: headingOf(cells, asked) }
        continue
      }
      const reader = new RowReader(index - heading.index, heading.columns, cells)
      const item = asked.read(reader)
      if (item === null || reader.problems.length > 0) problems.add(reader.problems)
      else items.push(item)
      if (items.length < asked.batch) continue
      progress.took(await asked.take(items))
      items = []
    }
    progress.skipped = problems.skipped
  }
  if (heading === undefined) throw invalid([{ field: 'file', message: 'The file is empty.' }])
  if (items.length > 0) progress.took(await asked.take(items))
  progress.read(Infinity)
  const { imported, updated, unchanged } = progress
  return { imported, updated, unchanged, skipped: problems.skipped, errors: problems.errors }
}

function headingOf<K extends string>(
  cells: readonly string[],
  asked: Pick<TableImport<K, unknown>, 'headings' | 'required'>,
) {
  const columns = matchHeadings(cells, asked.headings)
  const missing = asked.required.filter((key) => !columns.has(key))
  if (missing.length === 0) return columns
  const named = missing.map((key) => `"${key}"`).join(', ')
  throw invalid([{ field: 'file', message: `The heading row lacks ${named}.` }])
}
