import type { ReceivedOf, Call } from '@karvon/contract/lib/call.ts'
import { getIdempotencyKey } from './http.idempotency.ts'
import { HttpError, parseJson, readFailure, buildRequest } from './http.ts'
import { describeHttpFailure } from './http.texts.ts'

export interface UploadInput {
  readonly body: FormData
  /** The number of bytes sent so far, and in total. */
  readonly onProgress?: (sent: number, total: number) => void
  readonly signal?: AbortSignal
  /** Milliseconds after which the call fails if no part of the file is sent and no answer comes. Without it there is no limit. */
  readonly silenceMs?: number
}

/**
 * Uploads a file, however long it takes, and reports the progress. Throws {@link HttpError}, or the signal's
 * reason. It uses XMLHttpRequest because fetch reports no progress of a body.
 */
export async function upload<C extends Call>(call: C, input: UploadInput): Promise<ReceivedOf<C>> {
  const { body, onProgress, signal, silenceMs } = input
  const { token, address, headers } = buildRequest(call, { body })
  const idempotencyKey = getIdempotencyKey(call, address, body)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(call.method, address)
    for (const [name, value] of Object.entries({ ...headers, ...idempotencyKey?.headers }))
      request.setRequestHeader(name, value)
    let timer: ReturnType<typeof setTimeout> | undefined
    const restartTimer = () => {
      clearTimeout(timer)
      if (silenceMs === undefined) return
      timer = setTimeout(() => {
        reject(new HttpError(describeHttpFailure('timeout', { seconds: silenceMs / 1000 })))
        request.abort()
      }, silenceMs)
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      restartTimer()
      onProgress?.(loaded, total)
    })
    request.addEventListener('loadend', () => clearTimeout(timer))
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
    restartTimer()
    request.send(body)
  })
}
