import type { Reason } from '@karvon/contract/lib/problem.ts'
import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { describeMessage, type ValueFault } from '@karvon/contract/lib/field-messages.ts'
import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { request } from 'undici'
import { decodeText, encodings, readBody } from './outgoing.body.ts'
import { createGuardedAgent, createOpenAgent } from './outgoing.connect.ts'
import { toOutgoingError, OutgoingError } from './outgoing.error.ts'
import { createOutgoingRules } from './outgoing.rules.ts'

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Milliseconds from the DNS lookup to the last byte; by default 30,000. */
  timeout?: number
  /** The maximum bytes of an answer's body, compressed or decompressed; by default 10 MiB. */
  maxBytes?: number
  /** True: the body of the answer is not read. */
  isStatusOnly?: boolean
  /** Aborts the call with the reason of the signal. */
  signal?: AbortSignal
}

export interface OutgoingAnswer {
  status: number
  /** Names are in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  bytes: Buffer
  /** The body, decoded in its charset. */
  readonly text: string
}

/**
 * The client for all URLs that come from a person or a source. It allows only http and https to public addresses,
 * follows no redirect, and limits time and size. The main file of platform/outgoing-http.
 */
export interface Outgoing {
  /** Returns an answer with any status except a redirect. Throws {@link OutgoingError}. */
  request(outgoingRequest: OutgoingRequest): Promise<OutgoingAnswer>
  /** Why a URL may not be stored, or null. */
  checkUrl(url: string): ValueFault | null
  close(): Promise<void>
}

const defaultTimeout = 30_000
const defaultMaxBytes = 10 * 1024 * 1024
/** Bytes up to which an unread body is drained to reuse the connection. A longer body closes it. */
const maxDrainedBytes = 64 * 1024

/**
 * Opens the client. `allow`: host:port pairs that may be private. `lookup`: a function like `dns.lookup`.
 * `ports`: allowed ports of public hosts.
 */
export function openOutgoing(
  allow: readonly string[],
  { lookup = systemLookup, ports = [80, 443] }: { lookup?: LookupFunction; ports?: number[] } = {},
): Outgoing {
  const rules = createOutgoingRules(allow, ports)
  const guardedAgent = createGuardedAgent(lookup)
  const openAgent = createOpenAgent(lookup)

  const send = async (outgoingRequest: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer> => {
    const fault = rules.check(outgoingRequest.url)
    if (fault !== null) throw new OutgoingError('forbidden', describeFault(fault))
    const url = new URL(outgoingRequest.url)
    const { statusCode, headers, body } = await request(url, {
      dispatcher: rules.isAllowed(url) ? openAgent : guardedAgent,
      method: outgoingRequest.method,
      headers: {
        'user-agent': 'Karvon',
        'accept-encoding': encodings,
        ...lowerCaseNames(outgoingRequest.headers),
      },
      body: outgoingRequest.body ?? null,
      signal,
    })
    const isRedirect = statusCode >= 300 && statusCode < 400 && statusCode !== 304
    if (isRedirect || outgoingRequest.isStatusOnly === true) {
      void body.dump({ limit: maxDrainedBytes }).catch(() => {})
      if (isRedirect) throw createRedirectError(url.hostname, statusCode)
      return createAnswer(statusCode, headers, Buffer.alloc(0))
    }
    const encoding = String(headers['content-encoding'] ?? '')
    return createAnswer(
      statusCode,
      headers,
      await readBody(body, {
        encoding,
        maxBytes: outgoingRequest.maxBytes ?? defaultMaxBytes,
        host: url.hostname,
      }),
    )
  }

  return {
    checkUrl: (url) => rules.check(url),
    async request(outgoingRequest) {
      const deadline = AbortSignal.timeout(outgoingRequest.timeout ?? defaultTimeout)
      try {
        return await send(
          outgoingRequest,
          outgoingRequest.signal ? AbortSignal.any([deadline, outgoingRequest.signal]) : deadline,
        )
      } catch (error) {
        outgoingRequest.signal?.throwIfAborted()
        const host = URL.parse(outgoingRequest.url)?.hostname ?? 'The address'
        if (deadline.aborted) throw new OutgoingError('timeout', describeSync('host_timeout', { host }))
        throw toOutgoingError(error, host)
      }
    },
    async close() {
      await Promise.all([guardedAgent.destroy(), openAgent.destroy()])
    },
  }
}

const lowerCaseNames = (headers: OutgoingRequest['headers'] = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const createAnswer = (status: number, headers: OutgoingAnswer['headers'], bytes: Buffer): OutgoingAnswer => ({
  status,
  headers,
  bytes,
  get text() {
    return decodeText(bytes, String(headers['content-type'] ?? ''))
  },
})

const describeFault = ({ code, params }: ValueFault): Reason => {
  const reason = describeMessage(code, { label: 'The address', ...params })
  return { ...reason, message: `${reason.message}.` }
}

const createRedirectError = (host: string, status: number) =>
  new OutgoingError('redirect', describeSync('host_redirects', { host, status }))
