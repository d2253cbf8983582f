import type { TSchema } from 'typebox'
import { ExactNumber, type Cell } from './exports.cells.ts'

type Row = Record<string, unknown>

/** One column of an export: its header, and its value in a row of the API's answer. */
export interface ExportColumn {
  name: string
  readCell: (row: Row) => Cell
}

interface Shape {
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

/**
 * Derives the columns of an export from the schema of a list's answer, with the names of the API. `{id, name}` becomes
 * a column with the name, and one with the id unless the row has that column. Any other object is flattened, for
 * example to `receiver_town`. A value without a fixed schema becomes one column of JSON text.
 */
export function deriveColumns(answer: TSchema | undefined, omittedKeys: ReadonlySet<string>): ExportColumn[] {
  const row = ((answer ?? {}) as Shape).properties?.items?.items
  if (row?.properties === undefined) throw new Error('Only a list of rows has columns')
  return deriveColumnsOf(row.properties, '', (value) => value).filter(({ name }) => !omittedKeys.has(name))
}

function deriveColumnsOf(
  fields: Record<string, Shape>,
  prefix: string,
  getRow: (row: Row) => unknown,
): ExportColumn[] {
  return Object.entries(fields).flatMap(([key, shape]): ExportColumn[] => {
    const name = `${prefix}${key}`
    const value = (row: Row) => getValue(getRow(row), key)
    const valueShape = shape.anyOf?.find((alternative) => alternative.type !== 'null') ?? shape
    if (valueShape.properties === undefined) return [{ name, readCell: (row) => toCell(value(row)) }]
    if (Object.keys(valueShape.properties).toSorted().join() !== 'id,name')
      return deriveColumnsOf(valueShape.properties, `${name}_`, value)
    const nameColumn = { name, readCell: (row: Row) => toCell(getValue(value(row), 'name')) }
    const id = { name: `${name}_id`, readCell: (row: Row) => toCell(getValue(value(row), 'id')) }
    return `${key}_id` in fields ? [nameColumn] : [id, nameColumn]
  })
}

const getValue = (row: unknown, key: string): unknown =>
  typeof row === 'object' && row !== null ? (row as Row)[key] : undefined

function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (value instanceof ExactNumber) return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.map((item) => toCell(getValue(item, 'name') ?? item)).join('; ')
}
