import { isIPv6 } from 'node:net'

/** Characters of what a proxy reports in place of an address. */
const maxOther = 64

/**
 * The key under which an address is counted. IPv4 counts as itself, also where it is written as IPv6. IPv6 counts by
 * its /64, because one customer has all of those addresses.
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address.slice(0, maxOther)
  const [addressPart = ''] = address.split('%')
  if (!isIPv6(addressPart)) return address.slice(0, maxOther)
  const groups = splitGroups(addressPart)
  const [, , , , , marker = 0, high = 0, low = 0] = groups
  if (marker === 0xffff && groups.slice(0, 5).every((group) => group === 0))
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight groups of an IPv6 address that is well-formed. */
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
