import { maxUrl } from '../lib/limits.ts'

const pathPattern = /^(?:\/[a-z0-9][a-z0-9-]*)+$/

/** Keys of a query that belong to a visit and not to a view: the page number, the open row and the open view. */
const visitKeys: ReadonlySet<string> = new Set(['page', 'id', 'view_id'])

/**
 * The tab that a screen shows without `tab` in its address, as the first tab of its page in the web. Both addresses are one
 * screen, so a view does not keep this tab.
 */
export const firstTabs: Readonly<Record<string, string>> = {
  '/alerts': 'inbox',
  '/leads': 'leads',
  '/money': 'balance',
  '/settings/cpa-websites': 'sources',
  '/settings/statuses': 'status-types',
  '/settlements': 'withdrawals',
  '/statistics': 'daily',
  '/uploads': 'uploads',
  '/users': 'users',
}

type Entries = readonly (readonly [key: string, value: string])[]

const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

/**
 * The entries of the query of a path in the order of their keys, without the first tab. Of a repeated key the last value
 * counts, as in the web's router.
 */
function readEntries(path: string, query: string): Entries {
  const firstTab = Object.hasOwn(firstTabs, path) ? firstTabs[path] : undefined
  const values = new Map<string, string>()
  for (const part of query.split('&')) {
    const [key = '', ...value] = part.split('=')
    values.set(decode(key), decode(value.join('=')))
  }
  if (firstTab !== undefined && values.get('tab') === firstTab) values.delete('tab')
  const entries = [...values].filter(([key, value]) => key !== '' && value !== '' && !visitKeys.has(key))
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function join(path: string, entries: Entries): string {
  const query = entries.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

function split(address: string): [path: string, query: string] {
  const at = address.indexOf('?')
  return at === -1 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)]
}

/**
 * The one spelling of the address of a screen of the web, which a view stores: path and query, with sorted keys and without
 * what belongs to a visit. Null for any other address, so that a view cannot lead to another host.
 */
export function normaliseViewAddress(address: string): string | null {
  const [path, query] = split(address)
  if (!pathPattern.test(path) || query.includes('#')) return null
  try {
    const normalisedAddress = join(path, readEntries(path, query))
    return normalisedAddress.length <= maxUrl ? normalisedAddress : null
  } catch (error) {
    // An escape that is no text.
    if (error instanceof URIError) return null
    throw error
  }
}

/** The screen of a normalised address: its path, with the tab where the path has several, and the part of the tab. */
export function getViewScreen(address: string): string {
  const [path, query] = split(address)
  const entries = readEntries(path, query)
  const hasTab = entries.some(([key]) => key === 'tab')
  return join(path, hasTab ? entries.filter(([key]) => key === 'tab' || key === 'view') : [])
}

/** Path and query values of a normalised address. */
export function parseViewAddress(address: string): { path: string; search: Record<string, string> } {
  const [path, query] = split(address)
  return { path, search: Object.fromEntries(readEntries(path, query)) }
}
