import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { AppError } from '../http/errors.ts'

/** Bounds of an archive. An office file of 20 MB stays far below each of them. */
const zipBounds = {
  entries: 5000,
  /** Bytes, all entries together, as declared and as they really unpack. */
  unpacked: 200 * 1024 * 1024,
  /** Unpacked to packed bytes of an entry that unpacks to more than `ratioFrom`. */
  ratio: 200,
  ratioFrom: 4 * 1024 * 1024,
} as const

const DATA_DESCRIPTOR = 8

/**
 * Reads a zip archive through once, without keeping anything, and says which office formats its parts make.
 * Errors: 413 `too_large` where it breaks a bound, 415 `unsupported_type` where it cannot be read.
 */
export async function checkZip(path: string): Promise<('xlsx' | 'docx')[]> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(unreadable)
  try {
    if (zip.entryCount > zipBounds.entries) throw tooLarge()
    const entries = await declared(zip).catch(unreadable)
    const names = new Set(entries.map((entry) => entry.fileName))
    // Two parts of one name: one reader might see the one, another the other.
    if (names.size !== entries.length) throw broken()
    for (const entry of entries) await unpack(zip, entry).catch(unreadable)
    if (!names.has('[Content_Types].xml')) return []
    const has = (folder: string) => entries.some((entry) => entry.fileName.startsWith(folder))
    return [...(has('xl/') ? (['xlsx'] as const) : []), ...(has('word/') ? (['docx'] as const) : [])]
  } finally {
    zip.close()
  }
}

/** Bytes that each part of an archive unpacks to. It must have passed {@link checkZip}. */
export async function partSizes(path: string): Promise<Map<string, number>> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(unreadable)
  try {
    const entries = await declared(zip).catch(unreadable)
    return new Map(entries.map((entry) => [entry.fileName, entry.uncompressedSize]))
  } finally {
    zip.close()
  }
}

async function declared(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    entries.push(entry)
    unpacked += entry.uncompressedSize
    const steep =
      entry.uncompressedSize > zipBounds.ratioFrom &&
      entry.uncompressedSize > entry.compressedSize * zipBounds.ratio
    if (entries.length > zipBounds.entries || unpacked > zipBounds.unpacked || steep) throw tooLarge()
    // Without a size here a reader would go by what stands elsewhere in the file, which nobody checked.
    const unsized = (entry.generalPurposeBitFlag & DATA_DESCRIPTOR) !== 0 && entry.compressedSize === 0
    if (unsized || entry.isEncrypted()) throw broken()
  }
  return entries
}

/** The stream itself fails where an entry unpacks to another size than it declares. */
async function unpack(zip: ZipFile, entry: Entry): Promise<void> {
  if (entry.fileName.endsWith('/')) return
  const stream = await zip.openReadStreamPromise(entry)
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject).on('end', resolve).resume()
  })
}

const tooLarge = () => new AppError('too_large', 'The file unpacks to more than is taken.')
const broken = () => new AppError('unsupported_type', 'The file is damaged or not an office document.')

function unreadable(error: unknown): never {
  throw error instanceof AppError ? error : broken()
}
