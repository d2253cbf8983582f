import type { Call } from '@karvon/contract/lib/call.ts'
import { HttpError, readFailure, buildRequest, type SendInput } from './http.ts'
import { describeHttpFailure } from './http.texts.ts'

/** Milliseconds without a byte after which a download is aborted. The whole download has no limit. */
const silenceTimeoutMs = 30_000

export interface DownloadInput extends Pick<SendInput<Call>, 'params' | 'query' | 'signal'> {
  /** The number of bytes so far. Called for every chunk. */
  readonly onBytes?: (bytes: number) => void
}

/** A downloaded file. `name` is undefined where the server gives no readable name. */
export interface DownloadedFile {
  readonly name: string | undefined
  readonly content: Blob
}

/**
 * Downloads the answer of a call as a file, without a time limit. Throws {@link HttpError}, also when the
 * answer is not a file.
 *
 * The browser holds the bytes, not the page. Chromium keeps up to 2 GB in memory and then uses a tenth of the
 * disk. A million leads are about 0.2 GB.
 */
export async function download(call: Call, input: DownloadInput = {}): Promise<DownloadedFile> {
  const { token, address, headers } = buildRequest(call, input)
  const silenceAbort = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silenceAbort.abort(), silenceTimeoutMs)
  }
  const signal = input.signal ? AbortSignal.any([input.signal, silenceAbort.signal]) : silenceAbort.signal
  let response: Response | undefined
  try {
    restartTimer()
    response = await fetch(address, {
      headers: { ...headers, Accept: '*/*' },
      method: call.method,
      redirect: 'error',
      signal,
    })
    restartTimer()
    if (!response.ok) throw readFailure(call, response, { token, text: await response.text() })
    const mediaType = response.headers.get('content-type') ?? ''
    if (/json|html/.test(mediaType)) throw new HttpError(describeHttpFailure('noFile'), { response })
    const countedBody = response.body?.pipeThrough(createByteCounter(restartTimer, input.onBytes))
    const content = await new Response(countedBody, { headers: { 'content-type': mediaType } }).blob()
    return { name: readFileName(response.headers.get('content-disposition')), content }
  } catch (cause) {
    if (cause instanceof HttpError || input.signal?.aborted) throw cause
    const reason = silenceAbort.signal.aborted
      ? describeHttpFailure('silent', { seconds: silenceTimeoutMs / 1000 })
      : describeHttpFailure('unreachable')
    throw new HttpError(reason, { response, cause })
  } finally {
    clearTimeout(timer)
    // Ends a download that is still running after an error.
    silenceAbort.abort()
  }
}

function createByteCounter(restartTimer: () => void, onBytes: DownloadInput['onBytes']) {
  let bytes = 0
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      restartTimer()
      bytes += chunk.byteLength
      onBytes?.(bytes)
      controller.enqueue(chunk)
    },
  })
}

/** The file's name in a Content-Disposition; the encoded spelling before the plain one. */
function readFileName(disposition: string | null): string | undefined {
  const encodedName = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (encodedName !== undefined) {
    try {
      return decodeURIComponent(encodedName)
    } catch {
      // The plain name is used.
    }
  }
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1]
}
