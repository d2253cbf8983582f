import { isIP } from 'node:net'
import { isPublicAddress } from './outgoing.address.ts'

/** Which URLs may be called. */
export interface OutgoingRules {
  /** Whether KARVON_OUTBOUND_ALLOW has this host and port. It may be private and use any port. */
  isAllowed(url: URL): boolean
  /**
   * The problem of a URL, as text after a field's label ("must use port 80 or 443 ..."), or null. It checks only the
   * text. The addresses of a host name are checked at each call.
   */
  check(url: string): string | null
}

/** `allow`: the host:port pairs of KARVON_OUTBOUND_ALLOW. `ports`: allowed ports of public hosts. */
export function createOutgoingRules(allow: readonly string[], ports: readonly number[]): OutgoingRules {
  const pairs = new Set(allow.map(normalizePair))
  const isAllowed = (url: URL) => pairs.has(`${url.hostname}:${getPort(url)}`)
  return { isAllowed, check: (url) => findProblem(url, isAllowed, ports) }
}

function findProblem(
  text: string,
  isAllowed: OutgoingRules['isAllowed'],
  ports: readonly number[],
): string | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http or https address'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password'
  if (isAllowed(url)) return null
  const remedy = `unless KARVON_OUTBOUND_ALLOW names ${url.hostname}:${getPort(url)}`
  if (!ports.includes(getPort(url))) return `must use port ${ports.join(' or ')}, ${remedy}`
  return isPrivateName(url.hostname) ? `must lead to a public address, ${remedy}` : null
}

/** Private host names (RFC 6761, RFC 6762, RFC 8375) and private addresses. */
function isPrivateName(hostname: string): boolean {
  const bare = stripBrackets(hostname)
  if (isIP(bare) !== 0 || hostname.startsWith('[')) return !isPublicAddress(bare)
  return /(^|\.)(localhost|local|internal|home\.arpa)\.?$/.test(hostname)
}

/** An IPv6 address without its brackets. */
export const stripBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

const getPort = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

/** Spells a pair as URLs do: in lower case, addresses in their standard form. */
function normalizePair(entry: string): string {
  const at = entry.lastIndexOf(':')
  const host = URL.parse(`http://${entry.slice(0, at)}`)?.hostname ?? entry.slice(0, at)
  return `${host}:${Number(entry.slice(at + 1))}`
}
