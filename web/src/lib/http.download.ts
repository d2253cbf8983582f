import type { Call } from '@karvon/contract/lib/call.ts'
import { HttpError, refusalOf, requestOf, type SendInput } from './http.ts'
import { httpTexts } from './http.texts.ts'

/** Milliseconds without a byte after which a download is given up; as long as bytes come it may go on. */
const patience = 30_000

export interface DownloadInput extends Pick<SendInput<Call>, 'params' | 'query' | 'signal'> {
  /** Bytes so far, told with every piece that arrives. */
  readonly onBytes?: (bytes: number) => void
}

/** A file as it came; `name` is undefined where the server's name for it cannot be read. */
export interface DownloadedFile {
  readonly name: string | undefined
  readonly content: Blob
}

/**
 * Fetches a call's answer as a file, whatever time it takes. Throws {@link HttpError}, also where the host
 * answers with something that is no file.
 *
 * The browser itself holds the bytes, not the page. Chromium keeps up to 2 GB of them in memory and a tenth of
 * the disk beyond; a million leads are about 0.2 GB.
 */
export async function download(call: Call, input: DownloadInput = {}): Promise<DownloadedFile> {
  const { token, address, headers } = requestOf(call, input)
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), patience)
  }
  const signal = input.signal ? AbortSignal.any([input.signal, silence.signal]) : silence.signal
  let response: Response | undefined
  try {
    heard()
    response = await fetch(address, {
      headers: { ...headers, Accept: '*/*' },
      method: call.method,
      redirect: 'error',
      signal,
    })
    heard()
    if (!response.ok) throw refusalOf(call, token, response, await response.text())
    const kind = response.headers.get('content-type') ?? ''
    if (/json|html/.test(kind)) throw new HttpError(httpTexts.noFile, response)
    const counted = response.body?.pipeThrough(counter(heard, input.onBytes))
    const content = await new Response(counted, { headers: { 'content-type': kind } }).blob()
    return { name: nameIn(response.headers.get('content-disposition')), content }
  } catch (cause) {
    if (cause instanceof HttpError || input.signal?.aborted) throw cause
    const reason = silence.signal.aborted ? httpTexts.silent(patience / 1000) : httpTexts.unreachable
    throw new HttpError(reason, response, undefined, cause)
  } finally {
    clearTimeout(timer)
    // Whatever is still on its way is nobody's any more.
    silence.abort()
  }
}

function counter(heard: () => void, onBytes: DownloadInput['onBytes']) {
  let bytes = 0
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      heard()
      bytes += piece.byteLength
      onBytes?.(bytes)
      controller.enqueue(piece)
    },
  })
}

/** The file's name in a Content-Disposition; the encoded spelling before the plain one. */
function nameIn(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded)
    } catch {
      // The plain spelling is left.
    }
  }
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1]
}
