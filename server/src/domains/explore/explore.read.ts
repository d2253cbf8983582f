import { AppError } from '../../platform/http/errors.ts'
import type { Db } from '../../platform/database/pool.ts'
import { isStatementTimeout } from '../../platform/database/pg-errors.ts'
import { isTime } from './explore.keys.ts'
import {
  allowWork,
  hasStatusTotals,
  readLeadSums,
  readRollupCells,
  readRollupSums,
  type Cut,
  type SumRow,
} from './explore.queries.ts'
import { isInRollups, listUsedDimensions, type Question } from './explore.question.ts'

/** Reads all sums of a question in one snapshot. Errors: 422 if they take longer than a statement may. */
export async function readSums(trx: Db, question: Question, cuts: readonly Cut[]): Promise<SumRow[]> {
  try {
    const hasStatuses = listUsedDimensions(question).includes('status') && (await hasStatusTotals(trx))
    if (isInRollups(question, hasStatuses)) return await readFromRollups(trx, question, cuts)
    await allowWork(trx)
    return await readLeadSums(trx, question, cuts)
  } catch (error) {
    if (isStatementTimeout(error)) throw new AppError('question_too_large')
    throw error
  }
}

/**
 * A time and another dimension have many cells, and few of them are of the top keys. Their margins come first, and then the
 * cells of the top keys alone. Two other dimensions have few cells.
 */
async function readFromRollups(trx: Db, question: Question, cuts: readonly Cut[]): Promise<SumRow[]> {
  const [first, second] = question.dimensions
  if (first === undefined || second === undefined || isTime(first) === isTime(second))
    return readRollupSums(trx, question, cuts)
  const rows = await readRollupSums(trx, { ...question, dimensions: [first] }, cuts.slice(0, 1))
  const margin = await readRollupSums(trx, { ...question, dimensions: [second] }, cuts.slice(1))
  const columns = margin
    .filter(({ kind }) => kind === 'r')
    .map((row): SumRow => ({ ...row, kind: 'c', k0: null, k1: row.k0 }))
  const keys = [
    rows.flatMap(({ kind, k0 }) => (kind === 'r' && k0 !== null ? [k0] : [])),
    columns.flatMap(({ k1 }) => (k1 === null ? [] : [k1])),
  ]
  const limits = Object.fromEntries(
    question.dimensions
      .map((name, at) => [name, [...new Set(keys[at])]] as const)
      .filter(([name], at) => !isTime(name) || isCut(at === 0 ? rows : columns, keys[at] ?? [])),
  )
  return [...rows, ...columns, ...(await readRollupCells(trx, question, limits))]
}

/** Whether there are more keys than those that are shown. */
const isCut = (margin: readonly SumRow[], keys: readonly string[]): boolean =>
  margin.some(({ kind, n }) => kind !== 't' && n > new Set(keys).size)
