import { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { Ajv } from 'ajv'

const check = new Ajv({ allErrors: true, strict: false }).compile(ConnectorDescription)

type Plain = Record<string, unknown>

/** What is wrong with a description, in words; null when it can be used. */
export function descriptionProblem(description: unknown): string | null {
  if (check(description)) return null
  const [first] = check.errors ?? []
  const at = first?.instancePath.replaceAll('/', '.').replace(/^\./, '')
  return `${at === undefined || at === '' ? 'The description' : at} ${first?.message ?? 'is not right'}`
}

/** `over` takes the place of what `base` has, member by member; null takes a member away. */
export function merged(base: Plain, over: Plain): Plain {
  const result = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(over)) {
    const known = result.get(key)
    if (value === null) result.delete(key)
    else result.set(key, isPlain(known) && isPlain(value) ? merged(known, value) : value)
  }
  return Object.fromEntries(result)
}

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The addresses of a CPA credential; each takes the place of its list's in the description. */
export interface Addresses {
  login_url: string | null
  finance_url: string | null
  orders_url: string | null
  offers_url: string | null
  streams_url: string | null
  single_offer_url: string | null
  img_url: string | null
}

/**
 * A network as this source reads it: the connector's description, what the CPA credential's mapping overrides,
 * and its addresses above both. An address for a list that nothing describes is left aside.
 */
export function effective(description: Plain, mapping: Plain | null, addresses: Addresses): Plain {
  const whole = merged(description, mapping ?? {})
  const urls = {
    sign_in: addresses.login_url,
    finance: addresses.finance_url,
    orders: addresses.orders_url,
    offers: addresses.offers_url,
    streams: addresses.streams_url,
    offer: addresses.single_offer_url,
  }
  for (const [part, url] of Object.entries(urls)) {
    if (url !== null && isPlain(whole[part])) whole[part] = { ...whole[part], url }
  }
  return addresses.img_url === null ? whole : { ...whole, images_url: addresses.img_url }
}
