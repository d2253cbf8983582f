import { isBlank } from './wellformed.ts'

/**
 * The fields of a form or of a query, by name. A field with several different values has a list of them. Blank values do not count
 * beside others.
 */
export function groupFields(
  pairs: Iterable<readonly [name: string, value: string]>,
): Map<string, string | string[]> {
  const fields = new Map<string, string | string[]>()
  for (const [name, group] of Map.groupBy(pairs, ([fieldName]) => fieldName)) {
    const values = [...new Set(group.map(([, value]) => value))]
    const filledValues = values.filter((value) => !isBlank(value))
    fields.set(name, filledValues.length > 1 ? filledValues : (filledValues[0] ?? values[0] ?? ''))
  }
  return fields
}
