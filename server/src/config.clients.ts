import { isIP } from 'node:net'
import { portPattern, type EnvironmentReader } from './config.reader.ts'

/** At least `bytes` in each `interval` of milliseconds. */
export interface MinThroughput {
  interval: number
  bytes: number
}

/** Timeouts of clients in milliseconds. `checkInterval`: how often they are checked. */
export interface ClientTimeouts {
  checkInterval: number
  headers: number
  request: number
  body: MinThroughput
  response: MinThroughput
}

/** What clients and the proxies before the product may do. */
export interface ClientSettings {
  /** Proxies whose X-Forwarded-For is trusted; none by default. */
  trustProxy: string[]
  /** Origins of web pages on other hosts that may call this one; none by default. */
  corsOrigins: string[]
  /** Not set by the environment. Undefined: the default limits. */
  clientTimeouts: ClientTimeouts | undefined
}

export const readClientSettings = (reader: EnvironmentReader): ClientSettings => ({
  trustProxy: reader.readList(
    'KARVON_TRUST_PROXY',
    { test: isNetwork },
    'addresses or networks, such as 10.0.0.0/8',
  ),
  corsOrigins: reader.readList(
    'KARVON_CORS_ORIGINS',
    new RegExp(String.raw`^https?://(\[[\da-f:]+\]|[\w.-]+)(:${portPattern})?$`),
    'origins, such as https://desk.example.uz',
  ),
  clientTimeouts: undefined,
})

/** Whether the text is an address, or a network such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return (
    rest.length === 0 &&
    maxBits > 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
  )
}
