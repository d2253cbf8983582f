import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { isPublicAddress } from './outgoing.address.ts'
import { OutgoingError } from './outgoing.error.ts'
import { stripBrackets } from './outgoing.rules.ts'

/** Milliseconds. */
const connectTimeout = 10_000

const agentOptions = {
  // One answer at a time on a connection, so that limits of size and time apply to one answer.
  allowH2: false,
  pipelining: 1,
  maxHeaderSize: 16 * 1024,
} as const

/** Connects to any address. For hosts in KARVON_OUTBOUND_ALLOW. */
export const createOpenAgent = (lookup: LookupFunction): Agent =>
  new Agent({ ...agentOptions, connect: { lookup, timeout: connectTimeout } })

/**
 * Connects only to public addresses. It connects to the addresses that it has checked, so a DNS answer that changes in
 * between (DNS rebinding) has no effect.
 */
export function createGuardedAgent(lookup: LookupFunction): Agent {
  const connect = buildConnector({
    allowH2: agentOptions.allowH2,
    timeout: connectTimeout,
    lookup: createGuardedLookup(lookup),
  })
  return new Agent({
    ...agentOptions,
    connect: (options, callback) => {
      // Node makes no DNS lookup for a literal address.
      const literal = stripBrackets(options.hostname)
      if (isIP(literal) !== 0 && !isPublicAddress(literal))
        callback(createNotPublicError(options.hostname), null)
      else connect(options, callback)
    },
  })
}

/** Wraps a DNS lookup. Fails when any of the addresses is not public. */
export const createGuardedLookup =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, answer) => {
      const addresses = Array.isArray(answer) ? answer : []
      const [firstAddress] = addresses
      if (error !== null) callback(error, '')
      else if (firstAddress === undefined || addresses.some(({ address }) => !isPublicAddress(address)))
        callback(createNotPublicError(hostname), '')
      else if (options.all === true) callback(null, addresses)
      else callback(null, firstAddress.address, firstAddress.family)
    })
  }

const createNotPublicError = (host: string) =>
  new OutgoingError('forbidden', describeSync('host_not_public', { host }))
