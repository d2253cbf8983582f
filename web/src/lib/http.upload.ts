import type { ReceivedOf, Call } from '@karvon/contract/lib/call.ts'
import { getIdempotencyKey } from './http.idempotency.ts'
import { HttpError, parseJson, readFailure, buildRequest } from './http.ts'
import { describeHttpFailure } from './http.texts.ts'

export interface UploadInput {
  readonly body: FormData
  /** The number of bytes sent so far, and in total. */
  readonly onProgress?: (sent: number, total: number) => void
  readonly signal?: AbortSignal
}

/**
 * Uploads a file without a time limit and reports the progress. Throws {@link HttpError}, or the signal's
 * reason. It uses XMLHttpRequest because fetch reports no progress of a body.
 */
export async function upload<C extends Call>(call: C, input: UploadInput): Promise<ReceivedOf<C>> {
  const { body, onProgress, signal } = input
  const { token, address, headers } = buildRequest(call, { body })
  const idempotencyKey = getIdempotencyKey(call, address, body)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(call.method, address)
    for (const [name, value] of Object.entries({ ...headers, ...idempotencyKey?.headers }))
      request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(loaded, total))
    request.addEventListener('load', () => {
      const { status, responseText, responseURL } = request
      const expectedUrl = new URL(address, window.location.href).href
      // The browser followed a redirect, which is not allowed.
      if (responseURL !== expectedUrl) reject(new HttpError(describeHttpFailure('unreachable')))
      else if (status < 300) {
        idempotencyKey?.reportAnswer(status, undefined)
        resolve(parseJson(responseText) as ReceivedOf<C>)
      } else {
        const failure = readFailure(call, new Response(responseText, { status }), {
          token,
          text: responseText,
        })
        idempotencyKey?.reportAnswer(status, failure.code)
        reject(failure)
      }
    })
    request.addEventListener('error', () => reject(new HttpError(describeHttpFailure('unreachable'))))
    request.addEventListener('abort', () => reject(signal?.reason as Error))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}
