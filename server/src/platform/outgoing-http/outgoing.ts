import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { request } from 'undici'
import { encodings, readBody } from './outgoing.body.ts'
import { guardedAgent, openAgent } from './outgoing.connect.ts'
import { failureOf, OutgoingError } from './outgoing.error.ts'
import { outgoingRules } from './outgoing.rules.ts'

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Milliseconds for all of it, from the look-up of the host to the last byte; 30,000. */
  timeout?: number
  /** Of the answer's body, unpacked; 10 MiB. */
  maxBytes?: number
  /** Whether the status says enough: the answer's body is then left unread. */
  statusOnly?: boolean
  /** Ends the call early, with the signal's own reason. */
  signal?: AbortSignal
}

export interface OutgoingAnswer {
  status: number
  /** By names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  bytes: Buffer
  /** The body read as UTF-8. */
  readonly text: string
}

/**
 * Whatever leaves the installation for an address that a person or a source gave goes through here: http and
 * https alone, to public addresses alone, no redirect followed, and an end to how long and how much.
 */
export interface Outgoing {
  /** Any status but a redirect's is an answer. Throws {@link OutgoingError}. */
  request(asked: OutgoingRequest): Promise<OutgoingAnswer>
  /** What is wrong with an address before it is kept, as it follows a field's label, or null. */
  checkUrl(url: string): string | null
  close(): Promise<void>
}

const usualTimeout = 30_000
const usualMaxBytes = 10 * 1024 * 1024
/** Bytes of an unread body that are worth their connection. */
const worthDraining = 64 * 1024

/**
 * `allow` are host:port pairs that may be private. `lookup` resolves names as `dns.lookup` does; `ports` are those
 * that any public host may be called at.
 */
export function openOutgoing(
  allow: readonly string[],
  { lookup = systemLookup, ports = [80, 443] }: { lookup?: LookupFunction; ports?: number[] } = {},
): Outgoing {
  const rules = outgoingRules(allow, ports)
  const guarded = guardedAgent(lookup)
  const open = openAgent(lookup)

  const ask = async (asked: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer> => {
    const problem = rules.check(asked.url)
    if (problem !== null) throw new OutgoingError('forbidden', `The address ${problem}.`)
    const url = new URL(asked.url)
    const { statusCode, headers, body } = await request(url, {
      dispatcher: rules.allows(url) ? open : guarded,
      method: asked.method,
      headers: { 'user-agent': 'Karvon', 'accept-encoding': encodings, ...inLowerCase(asked.headers) },
      body: asked.body ?? null,
      signal,
    })
    const isRedirect = statusCode >= 300 && statusCode < 400 && statusCode !== 304
    if (isRedirect || asked.statusOnly === true) {
      void body.dump({ limit: worthDraining }).catch(() => {})
      if (isRedirect) throw redirected(url.hostname, statusCode)
      return answerOf(statusCode, headers, Buffer.alloc(0))
    }
    const packed = String(headers['content-encoding'] ?? '')
    return answerOf(
      statusCode,
      headers,
      await readBody(body, packed, asked.maxBytes ?? usualMaxBytes, url.hostname),
    )
  }

  return {
    checkUrl: (url) => rules.check(url),
    async request(asked) {
      const deadline = AbortSignal.timeout(asked.timeout ?? usualTimeout)
      try {
        return await ask(asked, asked.signal ? AbortSignal.any([deadline, asked.signal]) : deadline)
      } catch (error) {
        asked.signal?.throwIfAborted()
        const host = URL.parse(asked.url)?.hostname ?? 'The address'
        if (deadline.aborted) throw new OutgoingError('timeout', `${host} did not answer in time.`)
        throw failureOf(error, host)
      }
    },
    async close() {
      await Promise.all([guarded.destroy(), open.destroy()])
    },
  }
}

const inLowerCase = (headers: OutgoingRequest['headers'] = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const answerOf = (status: number, headers: OutgoingAnswer['headers'], bytes: Buffer): OutgoingAnswer => ({
  status,
  headers,
  bytes,
  get text() {
    return bytes.toString('utf8')
  },
})

const redirected = (host: string, status: number) =>
  new OutgoingError(
    'redirect',
    `${host} answered ${status}, a redirect, and none is followed. Give the address that it leads to.`,
  )
