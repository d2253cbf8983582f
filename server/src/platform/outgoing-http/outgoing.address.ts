import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Azure answers every virtual machine's secrets at this one, although it lies among the public ones. */
const wireServer = '168.63.129.16'
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address of the internet's stands for one machine there: global unicast (RFC 4291, RFC 6890). False for
 * loopback, private, link-local and shared networks, for multicast, documentation and reserved ranges, and for IPv6
 * addresses that carry an IPv4 one (mapped, NAT64, 6to4, Teredo), whatever that one is. False for what is no address,
 * and for one that names a zone.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || text === wireServer) return false
  // What lies outside is not given out to anyone, IPv4-compatible addresses (::10.0.0.1) among it.
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}
