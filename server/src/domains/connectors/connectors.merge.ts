type JsonObject = Record<string, unknown>

/** Overrides the members of `base` with those of `changes`, recursively. A null in `changes` removes the member. */
export function mergeMembers(base: JsonObject, changes: JsonObject): JsonObject {
  const result = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(changes)) {
    const currentValue = result.get(key)
    if (value === null) result.delete(key)
    else
      result.set(
        key,
        isJsonObject(currentValue) && isJsonObject(value) ? mergeMembers(currentValue, value) : value,
      )
  }
  return Object.fromEntries(result)
}

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The addresses of a CPA credential. Each one overrides the address of a list in the description. */
export interface Addresses {
  login_url: string | null
  finance_url: string | null
  orders_url: string | null
  offers_url: string | null
  streams_url: string | null
  single_offer_url: string | null
  img_url: string | null
}

/** The parts of a description that have no address in a CPA credential, and the part whose base they use. */
const partsOfBase = [
  ['transactions', 'finance'],
  ['withdrawals', 'finance'],
  ['offer', 'offers'],
] as const

/** The base of an address that ends with the described path of its part; null for any other address. */
function findBase(address: string, path: unknown): string | null {
  const [plainAddress = ''] = address.split('?')
  const trimmedAddress = plainAddress.replace(/\/+$/, '')
  if (typeof path !== 'string' || !path.startsWith('/') || !trimmedAddress.endsWith(path)) return null
  return trimmedAddress.slice(0, -path.length)
}

/**
 * The description that this source uses. The mapping of the CPA credential overrides the connector's description, and
 * its addresses override both. An address of a list that is not described is ignored. A part that has no address uses
 * the base of another part, because a token of one host must not be sent to another.
 */
export function buildEffectiveDescription(
  description: JsonObject,
  mapping: JsonObject | null,
  addresses: Addresses,
): JsonObject {
  const result = mergeMembers(description, mapping ?? {})
  const urls = {
    sign_in: addresses.login_url,
    finance: addresses.finance_url,
    orders: addresses.orders_url,
    offers: addresses.offers_url,
    streams: addresses.streams_url,
    offer: addresses.single_offer_url,
  }
  for (const [part, partOfBase] of partsOfBase) {
    const [member, baseMember, address] = [result[part], result[partOfBase], urls[partOfBase]]
    if (
      !isJsonObject(member) ||
      !isJsonObject(baseMember) ||
      address === null ||
      mapping?.base_url !== undefined
    )
      continue
    const base = findBase(address, baseMember.url)
    if (base !== null && typeof member.url === 'string' && member.url.startsWith('/'))
      result[part] = { ...member, url: `${base}${member.url}` }
  }
  for (const [part, url] of Object.entries(urls)) {
    if (url !== null && isJsonObject(result[part])) result[part] = { ...result[part], url }
  }
  return addresses.img_url === null ? result : { ...result, images_url: addresses.img_url }
}
