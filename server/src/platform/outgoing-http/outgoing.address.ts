import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Azure's WireServer: it serves secrets of each virtual machine at this public address. */
const wireServer = '168.63.129.16'
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address is public: global unicast (RFC 4291, RFC 6890). False for loopback, private, link-local and shared
 * networks, for multicast, documentation and reserved ranges, for every IPv6 address that contains an IPv4 address
 * (mapped, NAT64, 6to4, Teredo), for an address with a zone, and for a text that is not an address.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || text === wireServer) return false
  // Addresses outside 2000::/3 are not assigned, for example IPv4-compatible ones (::10.0.0.1).
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}
