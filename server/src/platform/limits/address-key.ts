import { isIPv6 } from 'node:net'

/** Characters of a text that a proxy sends and that is not an address. */
const maxOtherLength = 64

/** An address for storage. A proxy may pass on any text that a client sends as its address. */
export const cutAddress = (address: string): string => address.slice(0, maxOtherLength)

/**
 * The key under which an address is counted: an IPv4 address, also if it is mapped to IPv6, or the /64 of an IPv6
 * address, because one customer has a whole /64.
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return cutAddress(address)
  const [addressPart = ''] = address.split('%')
  if (!isIPv6(addressPart)) return cutAddress(address)
  const groups = splitGroups(addressPart)
  const [, , , , , mappedPrefix = 0, high = 0, low = 0] = groups
  if (mappedPrefix === 0xffff && groups.slice(0, 5).every((group) => group === 0))
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight groups of a well-formed IPv6 address. */
function splitGroups(address: string): number[] {
  const [head = [], tail] = address.split('::').map(readGroups)
  if (tail === undefined) return [...head]
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
}

function readGroups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
