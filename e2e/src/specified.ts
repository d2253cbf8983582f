import type { RecordedCall } from '@karvon/testkit/fakes/bare-host.ts'
import { calls } from '@karvon/contract/registry.ts'

type Row = Readonly<Record<string, unknown>>
type Path = readonly string[]

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every field of a row, those inside of others too, but for the row's own id. */
const fieldsOf = (row: Row, above: Path = []): Path[] =>
  Object.entries(row).flatMap(([key, value]) => {
    const path = [...above, key]
    if (key === 'id' && above.length === 0) return []
    return isRow(value) ? [path, ...fieldsOf(value, path)] : [path]
  })

/** The row with one field gone, or null. */
function without(row: Row, [key = '', ...rest]: Path, gone: boolean): Row {
  if (rest.length > 0) return { ...row, [key]: without(row[key] as Row, rest, gone) }
  const { [key]: _, ...others } = row
  return gone ? others : { ...others, [key]: null }
}

/** One row for each field that is gone, and one for each that is null; ids count from 1. */
export const incompleteRows = (row: Row): Row[] =>
  [true, false]
    .flatMap((gone) => fieldsOf(row).map((path) => without(row, path, gone)))
    .map((each, index) => ('id' in row ? { ...each, id: index + 1 } : each))

const specified = calls
  .filter(({ feature, path }) => feature === undefined && /^\/(?:api|parcel)\//.test(path))
  .map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/\/$/, '').replaceAll(/:\w+/g, '[^/]+')}/?$`),
  }))

/** The calls that the specification does not name, the settings call aside, which says what else there is. */
export const callsBeyond = (recorded: readonly RecordedCall[]): string[] =>
  recorded
    .filter(({ method, path }) =>
      specified.every((each) => each.method !== method || !each.pattern.test(path)),
    )
    .map(({ method, path }) => `${method} ${path}`)
