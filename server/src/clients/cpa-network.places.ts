/** What stands at a path such as `orders.data` of an answer, '' for the answer itself; undefined where nothing does. */
export function placeOf(value: unknown, path: string): unknown {
  let at: unknown = value
  for (const key of path === '' ? [] : path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}

/** Fills `{name}` from `values`; a name that is not there becomes nothing. */
export const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : '',
  )
