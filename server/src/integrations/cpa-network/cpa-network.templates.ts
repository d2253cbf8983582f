/**
 * Gets the value at a path such as `orders.data`; '' is the whole value. Of several paths, as in `data.balance|balance`, it is
 * the first that exists. Answers undefined for a missing path.
 */
export function getByPath(value: unknown, path: string): unknown {
  for (const alternative of path.split('|')) {
    const member = getBySinglePath(value, alternative)
    if (member !== undefined) return member
  }
  return undefined
}

function getBySinglePath(value: unknown, path: string): unknown {
  let current: unknown = value
  for (const key of path === '' ? [] : path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Record<string, unknown>)[key]
  }
  return current
}

/** Replaces each `{name}` by its value. An unknown name becomes ''. */
export const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : '',
  )

const secretNames = ['pass', 'api_key', 'token'] as const
type Secrets = Readonly<Record<(typeof secretNames)[number], string>>

/** Replaces the account's secrets in the query of a link by placeholders such as `{token}`, so that it can be stored. */
export function maskSecrets(link: URL, values: Secrets): string {
  return mapQuery(link, (text) => {
    const name = secretNames.find((secretName) => values[secretName] !== '' && values[secretName] === text)
    return name === undefined ? text : `{${name}}`
  })
}

/** Replaces the placeholders in the query of a link by the account's current secrets. */
export const fillSecrets = (link: URL, values: Secrets): string =>
  mapQuery(link, (text) => {
    const name = secretNames.find((secretName) => text === `{${secretName}}`)
    return name === undefined ? text : values[name]
  })

function mapQuery(link: URL, map: (text: string) => string): string {
  const mappedLink = new URL(link)
  const query = [...mappedLink.searchParams].map(([name, text]) => [name, map(text)])
  if (query.length > 0) mappedLink.search = new URLSearchParams(query).toString()
  return mappedLink.toString()
}
