import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { OutgoingError } from './outgoing.error.ts'

/** Accepted encodings of an answer, for the header accept-encoding. */
export const encodings = 'gzip, br'

/**
 * Reads and decompresses the body of an answer. Throws {@link OutgoingError} `too_large` when it has more than
 * `maxBytes`, compressed or decompressed.
 */
export async function readBody(
  body: Readable,
  { encoding, maxBytes, host }: { encoding: string; maxBytes: number; host: string },
): Promise<Buffer> {
  const unpackStream = createUnpacker(encoding.trim().toLowerCase())
  if (unpackStream === undefined) {
    body.on('error', () => {}).destroy()
    throw new OutgoingError('unreachable', `${host} packed its answer in a way that was not asked for.`)
  }
  const chunks: Buffer[] = []
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk)
  }
  const limitSource = (source: AsyncIterable<Buffer>) => limitBytes(source, maxBytes, host)
  if (unpackStream === null) await pipeline(body, limitSource, collect)
  else await pipeline(body, limitSource, unpackStream, limitSource, collect)
  return Buffer.concat(chunks)
}

/** Null: not compressed. Undefined: an unknown encoding. */
function createUnpacker(encoding: string): Transform | null | undefined {
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
    if (size > maxBytes) throw new OutgoingError('too_large', `${host} answered more than ${maxBytes} bytes.`)
    yield chunk
  }
}
