import { valueFault, type ValueFault } from '@karvon/contract/lib/field-messages.ts'
import { isIP } from 'node:net'
import { isPublicAddress } from './outgoing.address.ts'

/** Which URLs may be called. */
export interface OutgoingRules {
  /** Whether KARVON_OUTBOUND_ALLOW has this host and port. Such a host may be private, and its port may be any. */
  isAllowed(url: URL): boolean
  /**
   * Why a URL may not be called, or null. Checks only the text. The addresses of a host name are checked at each call.
   */
  check(url: string): ValueFault | null
}

/** `allow`: the host:port pairs of KARVON_OUTBOUND_ALLOW. `ports`: allowed ports of public hosts. */
export function createOutgoingRules(allow: readonly string[], ports: readonly number[]): OutgoingRules {
  const pairs = new Set(allow.map(normalizePair))
  const isAllowed = (url: URL) => pairs.has(`${url.hostname}:${getPort(url)}`)
  return { isAllowed, check: (url) => findUrlFault(url, isAllowed, ports) }
}

function findUrlFault(
  text: string,
  isAllowed: OutgoingRules['isAllowed'],
  ports: readonly number[],
): ValueFault | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return valueFault('url_not_http')
  if (url.username !== '' || url.password !== '') return valueFault('url_with_credentials')
  if (isAllowed(url)) return null
  const address = `${url.hostname}:${getPort(url)}`
  if (!ports.includes(getPort(url)))
    return valueFault('url_port_refused', { ports: ports.join(' or '), address })
  return isPrivateName(url.hostname) ? valueFault('url_not_public', { address }) : null
}

/** Private host names (RFC 6761, RFC 6762, RFC 8375) and private addresses. */
function isPrivateName(hostname: string): boolean {
  const address = stripBrackets(hostname)
  if (isIP(address) !== 0 || hostname.startsWith('[')) return !isPublicAddress(address)
  return /(^|\.)(localhost|local|internal|home\.arpa)\.?$/.test(hostname)
}

/** An IPv6 address without its brackets. */
export const stripBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

const getPort = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

/** Normalizes a pair as in a URL: lower case, and addresses in their standard form. */
function normalizePair(entry: string): string {
  const at = entry.lastIndexOf(':')
  const host = URL.parse(`http://${entry.slice(0, at)}`)?.hostname ?? entry.slice(0, at)
  return `${host}:${Number(entry.slice(at + 1))}`
}
