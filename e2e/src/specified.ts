import type { RecordedCall } from '@karvon/testkit/fakes/bare-host.ts'
import { calls } from '@karvon/contract/registry.ts'

type Row = Readonly<Record<string, unknown>>
type Path = readonly string[]

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists the paths of all fields of a row except its id, nested fields included. */
const listFields = (row: Row, parent: Path = []): Path[] =>
  Object.entries(row).flatMap(([key, value]) => {
    const path = [...parent, key]
    if (key === 'id' && parent.length === 0) return []
    return isRow(value) ? [path, ...listFields(value, path)] : [path]
  })

/** Removes one field of a row, or sets it to null. */
function removeField(row: Row, [key = '', ...rest]: Path, isRemoved: boolean): Row {
  if (rest.length > 0) return { ...row, [key]: removeField(row[key] as Row, rest, isRemoved) }
  const { [key]: _, ...otherFields } = row
  return isRemoved ? otherFields : { ...otherFields, [key]: null }
}

/** Creates a row for each field without it, and a row for each field with null. Ids start at 1. */
export const createIncompleteRows = (row: Row): Row[] =>
  [true, false]
    .flatMap((isRemoved) => listFields(row).map((path) => removeField(row, path, isRemoved)))
    .map((variant, index) => ('id' in row ? { ...variant, id: index + 1 } : variant))

const specifiedCalls = calls
  .filter(({ feature, path }) => feature === undefined && /^\/(?:api|parcel)\//.test(path))
  .map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/\/$/, '').replaceAll(/:\w+/g, '[^/]+')}/?$`),
  }))

/** Finds calls beyond the specification, except the settings call. */
export const findUnspecifiedCalls = (recordedCalls: readonly RecordedCall[]): string[] =>
  recordedCalls
    .filter(({ method, path }) =>
      specifiedCalls.every(
        (specifiedCall) => specifiedCall.method !== method || !specifiedCall.pattern.test(path),
      ),
    )
    .map(({ method, path }) => `${method} ${path}`)
