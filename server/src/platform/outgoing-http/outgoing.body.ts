import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { OutgoingError } from './outgoing.error.ts'

/** How an answer may be packed, for the request's accept-encoding. */
export const encodings = 'gzip, br'

/**
 * Reads an answer's body, unpacked where it came packed. Throws {@link OutgoingError} `too_large` as soon as it
 * has more than `maxBytes`, packed or unpacked.
 */
export async function readBody(
  body: Readable,
  encoding: string,
  maxBytes: number,
  host: string,
): Promise<Buffer> {
  const unpack = unpacker(encoding.trim().toLowerCase())
  if (unpack === undefined) {
    body.on('error', () => {}).destroy()
    throw new OutgoingError('unreachable', `${host} packed its answer in a way that was not asked for.`)
  }
  const pieces: Buffer[] = []
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const piece of source) pieces.push(piece)
  }
  const capped = (source: AsyncIterable<Buffer>) => upTo(source, maxBytes, host)
  if (unpack === null) await pipeline(body, capped, collect)
  else await pipeline(body, capped, unpack, capped, collect)
  return Buffer.concat(pieces)
}

/** Null where nothing is packed, undefined where nobody knows how. */
function unpacker(encoding: string): Transform | null | undefined {
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

async function* upTo(source: AsyncIterable<Buffer>, maxBytes: number, host: string) {
  let size = 0
  for await (const piece of source) {
    size += piece.length
    if (size > maxBytes) throw new OutgoingError('too_large', `${host} answered more than ${maxBytes} bytes.`)
    yield piece
  }
}
