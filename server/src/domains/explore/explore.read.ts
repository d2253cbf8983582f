import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Db } from '../../platform/database/pool.ts'
import { isStatementTimeout } from '../../platform/database/pg-errors.ts'
import { isTime } from './explore.keys.ts'
import {
  raiseWorkLimits,
  hasStatusTotals,
  leadReader,
  moveToColumn,
  rollupReader,
  type TopLimit,
  type SumReader,
  type SumRow,
} from './explore.queries.ts'
import { readSegmentSums } from './explore.segments.ts'
import { isInRollups, listUsedDimensions, type Question } from './explore.question.ts'

/** Reads all sums of a question in one snapshot. Errors: 422 if they take longer than a statement may. */
export async function readSums(
  trx: Db,
  question: Question,
  topLimits: readonly TopLimit[],
): Promise<SumRow[]> {
  const [first, second] = question.dimensions
  try {
    const hasStatuses = listUsedDimensions(question).includes('status') && (await hasStatusTotals(trx))
    const isRollup = isInRollups(question, hasStatuses)
    const reader = isRollup ? rollupReader : leadReader
    if (!isRollup) {
      const sums = await readSegmentSums(trx, question, topLimits)
      if (sums !== null) return sums
      await raiseWorkLimits(trx)
    }
    if (first === undefined || second === undefined) return await reader.readAll(trx, question, topLimits)
    const hasManyCells = isRollup
      ? isTime(first) !== isTime(second)
      : hasManyKeyPairs(first, second) || hasManyKeyPairs(second, first)
    if (!hasManyCells) return await reader.readAll(trx, question, topLimits)
    return await readMarginsAndCells(trx, reader, { question, dimensions: [first, second], topLimits })
  } catch (error) {
    if (isStatementTimeout(error)) throw new AppError('question_too_large')
    throw error
  }
}

const subs: ReadonlySet<DimensionName> = new Set(['sub1', 'sub2', 'sub3'])
const fewKeys: ReadonlySet<DimensionName> = new Set(['month', 'weekday', 'hour', 'source', 'status'])

/**
 * A sub may have another value for each lead. One statement that groups by it and by many other keys takes longer than
 * two statements that read the leads for the margins and for the cells.
 */
const hasManyKeyPairs = (sub: DimensionName, otherDimension: DimensionName): boolean =>
  subs.has(sub) && !fewKeys.has(otherDimension)

/**
 * Reads the margins first, and then only the cells of the top keys, because few of many cells are of the top
 * keys. In rollups, a time and another dimension have many cells.
 */
async function readMarginsAndCells(
  trx: Db,
  { readAll, readCells }: SumReader,
  {
    question,
    dimensions: [first, second],
    topLimits,
  }: {
    question: Question
    dimensions: readonly [DimensionName, DimensionName]
    topLimits: readonly TopLimit[]
  },
): Promise<SumRow[]> {
  const rows = await readAll(trx, { ...question, dimensions: [first] }, topLimits.slice(0, 1))
  const margin = await readAll(trx, { ...question, dimensions: [second] }, topLimits.slice(1))
  const columns = margin.filter(({ kind }) => kind === 'row').map(moveToColumn)
  const keys = [
    rows.flatMap(({ kind, row_key: key }) => (kind === 'row' && key !== null ? [key] : [])),
    columns.flatMap(({ column_key: key }) => (key === null ? [] : [key])),
  ]
  const limits = Object.fromEntries(
    question.dimensions
      .map((name, at) => [name, [...new Set(keys[at])]] as const)
      .filter(([name], at) => !isTime(name) || isCut(at === 0 ? rows : columns, keys[at] ?? [])),
  )
  return [...rows, ...columns, ...(await readCells(trx, question, limits))]
}

/** Whether there are more keys than those that are shown. */
function isCut(margin: readonly SumRow[], keys: readonly string[]): boolean {
  const shownCount = new Set(keys).size
  return margin.some(({ kind, key_count: count }) => kind !== 'total' && count > shownCount)
}
