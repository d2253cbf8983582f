import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { isPublicAddress } from './outgoing.address.ts'
import { OutgoingError } from './outgoing.error.ts'
import { bareAddress } from './outgoing.rules.ts'

/** Milliseconds for a connection to stand. */
const connectTimeout = 10_000

const shared = {
  // One answer at a time over a connection, so that size and time are those of the one that is asked for.
  allowH2: false,
  pipelining: 1,
  maxHeaderSize: 16 * 1024,
} as const

/** Connections to anywhere. For hosts that the operator has named. */
export const openAgent = (lookup: LookupFunction): Agent =>
  new Agent({ ...shared, connect: { lookup, timeout: connectTimeout } })

/**
 * Connections to public addresses alone. The addresses that are judged are the very ones that are then connected
 * to, so a name that leads elsewhere a moment later gains nothing.
 */
export function guardedAgent(lookup: LookupFunction): Agent {
  const connect = buildConnector({
    allowH2: shared.allowH2,
    timeout: connectTimeout,
    lookup: guardedLookup(lookup),
  })
  return new Agent({
    ...shared,
    connect: (options, callback) => {
      // An address is connected to without a look-up.
      const literal = bareAddress(options.hostname)
      if (isIP(literal) !== 0 && !isPublicAddress(literal)) callback(notPublic(options.hostname), null)
      else connect(options, callback)
    },
  })
}

/** Looks a name up as `lookup` does, and fails where any of its addresses is not public. */
export const guardedLookup =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : []
      const [first] = addresses
      if (error !== null) callback(error, '')
      else if (first === undefined || addresses.some(({ address }) => !isPublicAddress(address)))
        callback(notPublic(hostname), '')
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

const notPublic = (host: string) =>
  new OutgoingError(
    'forbidden',
    `${host} leads to an address that is not public. If that is meant, name its host and port in KARVON_OUTBOUND_ALLOW.`,
  )
