import { acceptsIdempotencyKey, type Call } from '@karvon/contract/lib/call.ts'
import { createRandomUuid } from './random-hex.ts'

/** Milliseconds for which the same content is the same request. Later it is a new one. */
const keyLifetimeMs = 5 * 60_000

interface StoredKey {
  key: string
  at: number
}

let isSupported = false
// The keys of requests without an answer, by the content of the request.
const storedKeys = new Map<string, StoredKey>()

/** Sets whether the host supports Idempotency-Keys. Before that no key is sent. */
export function setIdempotencyKeySupport(isAnnouncedByHost: boolean): void {
  isSupported = isAnnouncedByHost
}

/** The key of a request. Report its answer by `reportAnswer`. */
export interface IdempotencyKey {
  readonly headers: Readonly<Record<string, string>>
  /** After status 0 or 5xx the result is unknown. The same request is then sent with the same key. */
  reportAnswer: (status: number, code: string | undefined) => void
}

/** A new key, or the key of the same request whose answer was lost. */
export function getIdempotencyKey(
  call: Call,
  address: string,
  body: string | FormData | undefined,
): IdempotencyKey | null {
  if (!isSupported || !acceptsIdempotencyKey(call, call.method)) return null
  const nowMs = Date.now()
  for (const [requestText, { at }] of storedKeys)
    if (nowMs - at > keyLifetimeMs) storedKeys.delete(requestText)
  const requestText = `${call.method} ${address} ${describeBody(body)}`
  const { key } = storedKeys.get(requestText) ?? { key: createRandomUuid() }
  storedKeys.set(requestText, { key, at: nowMs })
  return {
    headers: { 'Idempotency-Key': key },
    reportAnswer: (status, code) => {
      if (status !== 0 && status < 500 && code !== 'in_progress') storedKeys.delete(requestText)
    },
  }
}

/**
 * Describes a body as text. A file is identified by its name, size and time, because its bytes are not read.
 */
function describeBody(body: string | FormData | undefined): string {
  if (!(body instanceof FormData)) return body ?? ''
  const parts = [...body].map(([name, value]) =>
    value instanceof File ? [name, value.name, value.size, value.lastModified] : [name, value],
  )
  return JSON.stringify(parts)
}
