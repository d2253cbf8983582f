import { Type, type Static } from 'typebox'

/** A row of a file that was not taken; `row` counts from 1 after the heading. */
export const RowProblem = Type.Object({ row: Type.Integer(), field: Type.String(), message: Type.String() })
export type RowProblem = Static<typeof RowProblem>

/** How many row problems an answer lists at the most; `skipped` counts them all. */
export const maxRowProblems = 1000

/** What became of a file's rows. */
export const ImportAnswer = Type.Object({
  imported: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  skipped: Type.Integer(),
  errors: Type.Array(RowProblem),
})
export type ImportAnswer = Static<typeof ImportAnswer>
