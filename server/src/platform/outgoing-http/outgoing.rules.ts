import { isIP } from 'node:net'
import { isPublicAddress } from './outgoing.address.ts'

/** What may be called. */
export interface OutgoingRules {
  /** Whether the operator has named this very host and port: it may be private, and at any port. */
  allows(url: URL): boolean
  /**
   * What is wrong with an address, as it follows a field's label ("must use port 80 or 443 ..."), or null. It
   * looks at the text alone: where a name leads to is seen when it is called.
   */
  check(url: string): string | null
}

/** `allow` are the pairs of KARVON_OUTBOUND_ALLOW, `ports` those that any public host may be called at. */
export function outgoingRules(allow: readonly string[], ports: readonly number[]): OutgoingRules {
  const pairs = new Set(allow.map(pairOf))
  const allows = (url: URL) => pairs.has(`${url.hostname}:${portOf(url)}`)
  return { allows, check: (url) => problemOf(url, allows, ports) }
}

function problemOf(text: string, allows: OutgoingRules['allows'], ports: readonly number[]): string | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http or https address'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password'
  if (allows(url)) return null
  const remedy = `unless KARVON_OUTBOUND_ALLOW names ${url.hostname}:${portOf(url)}`
  if (!ports.includes(portOf(url))) return `must use port ${ports.join(' or ')}, ${remedy}`
  return isPrivateName(url.hostname) ? `must lead to a public address, ${remedy}` : null
}

/** Names that are private wherever they are asked for (RFC 6761, RFC 6762, RFC 8375), and addresses. */
function isPrivateName(hostname: string): boolean {
  const bare = bareAddress(hostname)
  if (isIP(bare) !== 0 || hostname.startsWith('[')) return !isPublicAddress(bare)
  return /(^|\.)(localhost|local|internal|home\.arpa)\.?$/.test(hostname)
}

/** An IPv6 address without its brackets. */
export const bareAddress = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

/** A pair as URLs spell it: in lower case, addresses in their usual form. */
function pairOf(entry: string): string {
  const at = entry.lastIndexOf(':')
  const host = URL.parse(`http://${entry.slice(0, at)}`)?.hostname ?? entry.slice(0, at)
  return `${host}:${Number(entry.slice(at + 1))}`
}
