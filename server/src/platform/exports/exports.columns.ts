import type { TSchema } from 'typebox'
import type { Cell } from './exports.cells.ts'

type Row = Record<string, unknown>

/** One column of a file: its heading, and its value in a row as the wire answers it. */
export interface Column {
  name: string
  read: (row: Row) => Cell
}

interface Shape {
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

/**
 * The columns of a list's file, from the schema of its answer: the wire's own names. `{id, name}` is a column
 * with the name, and one with the id where the row has none beside it; any other object stands flat, as
 * `receiver_town`. What has no fixed shape is one column of JSON text.
 */
export function columnsOf(answer: TSchema | undefined, leave: ReadonlySet<string>): Column[] {
  const row = ((answer ?? {}) as Shape).properties?.items?.items
  if (row?.properties === undefined) throw new Error('Only a list of rows has columns')
  return columnsIn(row.properties, '', (value) => value).filter(({ name }) => !leave.has(name))
}

function columnsIn(fields: Record<string, Shape>, prefix: string, of: (row: Row) => unknown): Column[] {
  return Object.entries(fields).flatMap(([key, shape]): Column[] => {
    const name = `${prefix}${key}`
    const value = (row: Row) => valueIn(of(row), key)
    const inner = shape.anyOf?.find((each) => each.type !== 'null') ?? shape
    if (inner.properties === undefined) return [{ name, read: (row) => cellOf(value(row)) }]
    if (Object.keys(inner.properties).toSorted().join() !== 'id,name')
      return columnsIn(inner.properties, `${name}_`, value)
    const named = { name, read: (row: Row) => cellOf(valueIn(value(row), 'name')) }
    const id = { name: `${name}_id`, read: (row: Row) => cellOf(valueIn(value(row), 'id')) }
    return `${key}_id` in fields ? [named] : [id, named]
  })
}

const valueIn = (of: unknown, key: string): unknown =>
  typeof of === 'object' && of !== null ? (of as Row)[key] : undefined

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.map((each) => cellOf(valueIn(each, 'name') ?? each)).join('; ')
}
