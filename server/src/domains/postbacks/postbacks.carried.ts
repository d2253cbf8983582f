import { postbackNames, subNames } from '@karvon/contract/postbacks/postbacks.names.ts'
import type { FastifyRequest } from 'fastify'
import { invalid } from '../../platform/http/errors.ts'
import { formFields } from '../../platform/http/multipart.ts'
import { refuseMalformed, withoutControls } from '../../platform/http/wellformed.ts'

/** What a hit carried, by name; a list where it did not say one thing. */
export type Carried = ReadonlyMap<string, string | readonly string[]>

/** In the address alone: what can be told of a hit whose body cannot be read. */
export function carriedInAddress(request: FastifyRequest): Map<string, string | string[]> {
  const at = request.url.indexOf('?')
  const pairs = at < 0 ? [] : [...new URLSearchParams(request.url.slice(at + 1))]
  const carried = new Map<string, string | string[]>()
  for (const [name, same] of Map.groupBy(pairs, ([name]) => name)) {
    const values = [...new Set(same.map(([, value]) => value.trim()).filter((value) => value !== ''))]
    const [only, ...more] = values
    if (only !== undefined) carried.set(name, more.length === 0 ? only : values)
  }
  return carried
}

/** In the address and the body, which wins. Errors: 400, 413, 422 where the body cannot be read. */
export async function carriedBy(request: FastifyRequest): Promise<Carried> {
  const carried = carriedInAddress(request)
  const body = request.isMultipart() ? await formFields(request) : (request.body ?? {})
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalid([{ field: 'body', message: 'The body must be a JSON object' }])
  refuseMalformed(body)
  for (const [name, value] of Object.entries(body)) {
    const one = singleValue(value)
    if (one !== '') carried.set(name, one)
  }
  return carried
}

function singleValue(value: unknown): string | string[] {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return value === null ? '' : [JSON.stringify(value)]
}

const knownNames: readonly string[] = [...Object.values(postbackNames).flat(), ...subNames]
const secretNames: ReadonlySet<string> = new Set(postbackNames.secret)
const mask = '…'
// Characters, and parameters beyond those that we know: enough for whoever looks into the log.
const longestName = 100
const longestValue = 2000
const longestUnknown = 4000

/** What the log keeps of a hit: what we know first, nothing that is secret, nothing endless. */
export function shownOf(carried: Carried, key: string | null): Record<string, string> {
  const shown: [string, string][] = []
  let room = longestUnknown
  for (const name of new Set([...knownNames, ...carried.keys()])) {
    const value = carried.get(name)
    if (value === undefined) continue
    const text = hidden(name, value, key)
      ? mask
      : shortened(typeof value === 'string' ? value : listed(value), longestValue)
    if (!knownNames.includes(name)) room -= Math.min(name.length, longestName) + text.length
    if (room < 0) break
    shown.push([storable(shortened(name, longestName)), storable(text)])
  }
  return Object.fromEntries(shown)
}

/** Under a secret's name in any case, or the key itself under any name. */
const hidden = (name: string, value: string | readonly string[], key: string | null) =>
  secretNames.has(name.toLowerCase()) || (key !== null && [value].flat().some((each) => each.includes(key)))

const listed = (values: readonly string[]) => values.join(', ')
const shortened = (text: string, max: number) => (text.length <= max ? text : `${text.slice(0, max)}…`)
const storable = (text: string) => withoutControls(text.replaceAll('\0', '\uFFFD')).toWellFormed()

/** Whether every secret that is given is the source's key; none needs to be. */
export function secretFits(carried: Carried, key: string): boolean {
  return postbackNames.secret.every((name) =>
    [carried.get(name) ?? key].flat().every((given) => given === key),
  )
}
