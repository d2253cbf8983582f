import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, type BrotliDecompress, type Gunzip } from 'node:zlib'
import { OutgoingError } from './outgoing.error.ts'

/** The value of the header accept-encoding. */
export const encodings = 'gzip, br'

/**
 * Reads and decompresses the body of an answer. Throws {@link OutgoingError} `too_large` when it has more than
 * `maxBytes`, compressed or decompressed.
 */
export async function readBody(
  body: Readable,
  { encoding, maxBytes, host }: { encoding: string; maxBytes: number; host: string },
): Promise<Buffer> {
  const decompressor = createDecompressor(encoding.trim().toLowerCase())
  if (decompressor === undefined) {
    body.on('error', () => {}).destroy()
    throw new OutgoingError('unreachable', describeSync('host_encoding', { host }))
  }
  const chunks: Buffer[] = []
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk)
  }
  const limitSource = (source: AsyncIterable<Buffer>) => limitBytes(source, maxBytes, host)
  if (decompressor === null) await pipeline(body, limitSource, collect)
  else
    await pipeline(body, limitSource, decompressor, limitSource, collect).catch((error: unknown) => {
      // Some servers name the encoding of an answer that has no body. A lost connection has another code.
      if (decompressor.bytesWritten > 0 || (error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR')
        throw error
    })
  return Buffer.concat(chunks)
}

/** Null: not compressed. Undefined: an unknown encoding. */
function createDecompressor(encoding: string): Gunzip | BrotliDecompress | null | undefined {
  switch (encoding) {
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    default:
      return undefined
  }
}

async function* limitBytes(source: AsyncIterable<Buffer>, maxBytes: number, host: string) {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > maxBytes)
      throw new OutgoingError('too_large', describeSync('host_bytes', { host, max: maxBytes }))
    yield chunk
  }
}

/**
 * Decodes an answer in the charset of its header `content-type`, or of its XML declaration. UTF-8 without one, and where
 * the charset is unknown; windows-1251 where most letters are no UTF-8, because servers send it without its name.
 */
export function decodeText(bytes: Buffer, contentType: string): string {
  const declaration = () =>
    /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(bytes.toString('latin1', 0, 200))
  const charset = (/charset\s*=\s*"?([\w.-]+)/i.exec(contentType) ?? declaration())?.[1] ?? 'utf-8'
  const decoder = createDecoder(charset)
  const text = decoder.decode(bytes)
  if (decoder.encoding !== 'utf-8' || isUtf8(bytes)) return text
  const start = text.slice(0, 100_000)
  const isOtherCharset = countMatches(start, /\uFFFD/g) > countMatches(start, /[^\0-\x7F\uFFFD]/g)
  return isOtherCharset ? new TextDecoder('windows-1251').decode(bytes) : text
}

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

function createDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}
