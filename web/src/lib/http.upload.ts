import type { ReceivedOf, Call } from '@karvon/contract/lib/call.ts'
import { keyFor } from './http.keys.ts'
import { HttpError, parse, refusalOf, requestOf } from './http.ts'
import { httpTexts } from './http.texts.ts'

export interface UploadInput {
  readonly body: FormData
  /** Bytes sent so far, of how many. */
  readonly onSent?: (sent: number, total: number) => void
  readonly signal?: AbortSignal
}

/**
 * Sends a file that the server works on for as long as it needs: no time-out, and its progress is told.
 * Throws {@link HttpError}, or the signal's reason. Not fetch, which tells nobody how much of a body is sent.
 */
export async function upload<C extends Call>(call: C, input: UploadInput): Promise<ReceivedOf<C>> {
  const { body, onSent, signal } = input
  const { token, address, headers } = requestOf(call, { body })
  const key = keyFor(call, address, body)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(call.method, address)
    for (const [name, value] of Object.entries({ ...headers, ...key?.headers }))
      request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent?.(loaded, total))
    request.addEventListener('load', () => {
      const { status, responseText, responseURL } = request
      const asked = new URL(address, window.location.href).href
      // It has followed a redirect, which no call may.
      if (responseURL !== asked) reject(new HttpError(httpTexts.unreachable))
      else if (status < 300) {
        key?.answered(status, undefined)
        resolve(parse(responseText) as ReceivedOf<C>)
      } else {
        const refusal = refusalOf(call, token, new Response(responseText, { status }), responseText)
        key?.answered(status, refusal.code)
        reject(refusal)
      }
    })
    request.addEventListener('error', () => reject(new HttpError(httpTexts.unreachable)))
    request.addEventListener('abort', () => reject(signal?.reason as Error))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}
