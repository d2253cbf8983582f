import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { AppError } from '../http/errors.ts'

/** Limits of an archive. An office file of 20 MB is far below each of them. */
const zipBounds = {
  entries: 5000,
  /** Bytes of all entries together. An entry may not unpack to more than it declares. */
  unpacked: 200 * 1024 * 1024,
  /** Unpacked bytes for each packed byte, for entries that unpack to more than `ratioFrom` bytes. */
  ratio: 200,
  ratioFrom: 4 * 1024 * 1024,
} as const

const dataDescriptorFlag = 8

/**
 * Reads a zip archive once, without storing anything, and returns which office formats its parts form.
 * Errors: 413 above a limit, 415 when it is unreadable.
 */
export async function checkZip(path: string): Promise<('xlsx' | 'docx')[]> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(rethrowAsAppError)
  try {
    if (zip.entryCount > zipBounds.entries) throw new AppError('file_unpacks_too_large')
    const entries = await readEntries(zip).catch(rethrowAsAppError)
    const names = new Set(entries.map((entry) => entry.fileName))
    // Of two parts with one name, two readers could read different ones.
    if (names.size !== entries.length) throw new AppError('file_damaged')
    for (const entry of entries) await unpackEntry(zip, entry).catch(rethrowAsAppError)
    if (!names.has('[Content_Types].xml')) return []
    const has = (folder: string) => entries.some((entry) => entry.fileName.startsWith(folder))
    return [...(has('xl/') ? (['xlsx'] as const) : []), ...(has('word/') ? (['docx'] as const) : [])]
  } finally {
    zip.close()
  }
}

/** Unpacked bytes of each part. The archive must have passed {@link checkZip}. */
export async function readPartSizes(path: string): Promise<Map<string, number>> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(rethrowAsAppError)
  try {
    const entries = await readEntries(zip).catch(rethrowAsAppError)
    return new Map(entries.map((entry) => [entry.fileName, entry.uncompressedSize]))
  } finally {
    zip.close()
  }
}

/** The first `maxBytes` or more of a part; null without this part. The archive must have passed {@link checkZip}. */
export async function readPartStart(path: string, name: string, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  let isFound = false
  for await (const chunk of readPart(path, name)) {
    isFound = true
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) break
  }
  return isFound ? Buffer.concat(chunks) : null
}

/** The bytes of a part in chunks, the first one empty; nothing without this part. The archive must have passed {@link checkZip}. */
export async function* readPart(path: string, name: string): AsyncGenerator<Buffer> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(rethrowAsAppError)
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== name) continue
      yield Buffer.alloc(0)
      yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>
      return
    }
  } finally {
    zip.close()
  }
}

async function readEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  let unpackedBytes = 0
  for await (const entry of zip.eachEntry()) {
    entries.push(entry)
    unpackedBytes += entry.uncompressedSize
    const isSuspiciousRatio =
      entry.uncompressedSize > zipBounds.ratioFrom &&
      entry.uncompressedSize > entry.compressedSize * zipBounds.ratio
    if (entries.length > zipBounds.entries || unpackedBytes > zipBounds.unpacked || isSuspiciousRatio)
      throw new AppError('file_unpacks_too_large')
    // Without a size here, a reader would use another size in the file, which is not checked.
    const hasNoSize = (entry.generalPurposeBitFlag & dataDescriptorFlag) !== 0 && entry.compressedSize === 0
    if (hasNoSize || entry.isEncrypted()) throw new AppError('file_damaged')
  }
  return entries
}

/** Fails when an entry unpacks to another size than it declares. */
async function unpackEntry(zip: ZipFile, entry: Entry): Promise<void> {
  if (entry.fileName.endsWith('/')) return
  const stream = await zip.openReadStreamPromise(entry)
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject).on('end', resolve).resume()
  })
}

function rethrowAsAppError(error: unknown): never {
  throw error instanceof AppError ? error : new AppError('file_damaged')
}
