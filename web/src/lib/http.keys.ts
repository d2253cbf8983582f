import { takesKey, type Call } from '@karvon/contract/lib/call.ts'
import { randomUuid } from './random-hex.ts'

/** Milliseconds after which the same content is meant as something new. */
const meantAgain = 5 * 60_000

interface Held {
  key: string
  at: number
}

let known = false
// By what was sent: the keys of requests that have no answer yet, or lost it.
const held = new Map<string, Held>()

/** Whether the host has said that it knows Idempotency-Keys; until then none is sent. */
export function knowKeys(said: boolean): void {
  known = said
}

/** The key under which a request is sent, and what is to be said of its answer. */
export interface RequestKey {
  readonly headers: Readonly<Record<string, string>>
  /** `status` 0 and 5xx tell nothing of what became of it: sent again unchanged, it has the same key. */
  answered: (status: number, code: string | undefined) => void
}

/** A fresh key, or the one that the same request was sent with when its answer was lost. */
export function keyFor(call: Call, address: string, body: string | FormData | undefined): RequestKey | null {
  if (!known || !takesKey(call, call.method)) return null
  const now = Date.now()
  for (const [sent, { at }] of held) if (now - at > meantAgain) held.delete(sent)
  const sent = `${call.method} ${address} ${contentOf(body)}`
  const { key } = held.get(sent) ?? { key: randomUuid() }
  held.set(sent, { key, at: now })
  return {
    headers: { 'Idempotency-Key': key },
    answered: (status, code) => {
      if (status !== 0 && status < 500 && code !== 'in_progress') held.delete(sent)
    },
  }
}

/** A file is taken for the same by its name, size and time: its bytes are not read for it. */
function contentOf(body: string | FormData | undefined): string {
  if (!(body instanceof FormData)) return body ?? ''
  const parts = [...body].map(([name, value]) =>
    value instanceof File ? [name, value.name, value.size, value.lastModified] : [name, value],
  )
  return JSON.stringify(parts)
}
