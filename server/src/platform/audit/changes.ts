/** The keys of `values` whose value differs from the old one, with their old and new values, for the audit log. */
export function findChanges<Values extends object>(
  oldValues: Readonly<Record<keyof Values, unknown>>,
  values: Values,
): { keys: string[]; before: Partial<Values>; after: Partial<Values> } {
  const keys = (Object.keys(values) as (keyof Values & string)[]).filter(
    (key) => JSON.stringify(values[key]) !== JSON.stringify(oldValues[key]),
  )
  const pick = (source: Readonly<Record<keyof Values, unknown>>) =>
    Object.fromEntries(keys.map((key) => [key, source[key]])) as Partial<Values>
  return { keys, before: pick(oldValues), after: pick(values) }
}
