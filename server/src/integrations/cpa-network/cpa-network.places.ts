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

const secrets = ['pass', 'api_key', 'token'] as const
type Secrets = Readonly<Record<(typeof secrets)[number], string>>

/** A link without the account's secrets, to be kept: `{token}` in its query stands for the token. */
export function withoutSecrets(link: URL, values: Secrets): string {
  return mappedQuery(link, (text) => {
    const name = secrets.find((each) => values[each] !== '' && values[each] === text)
    return name === undefined ? text : `{${name}}`
  })
}

/** Such a link with the account's secrets, as they are now, to be asked for. */
export const withSecrets = (link: URL, values: Secrets): string =>
  mappedQuery(link, (text) => {
    const name = secrets.find((each) => text === `{${each}}`)
    return name === undefined ? text : values[name]
  })

function mappedQuery(link: URL, mapped: (text: string) => string): string {
  const whole = new URL(link)
  const query = [...whole.searchParams].map(([name, text]) => [name, mapped(text)])
  if (query.length > 0) whole.search = new URLSearchParams(query).toString()
  return whole.toString()
}
