import { Type, type Static } from 'typebox'
import { maxRowProblems } from './limits.ts'
import { FieldProblem } from './problem.ts'

/** A row of a file that was skipped. `row` counts from 1 after the header row; 0 is the whole file. */
export const RowProblem = Type.Object({ row: Type.Integer(), ...FieldProblem.properties })
export type RowProblem = Static<typeof RowProblem>

/** The id by which a caller polls an import: a UUID that the caller creates and sends as `key`. */
export const importKey = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const ImportKey = Type.String({ pattern: importKey.source })

/** The result of an import, in rows. */
export const ImportAnswer = Type.Object({
  imported: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  skipped: Type.Integer(),
  errors: Type.Array(RowProblem, { maxItems: maxRowProblems }),
})
export type ImportAnswer = Static<typeof ImportAnswer>
