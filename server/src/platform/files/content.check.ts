import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { open, stat } from 'node:fs/promises'
import { AppError, invalid } from '../http/errors.ts'
import { listOleStreams } from './content.ole.ts'
import { checkZip } from './content.zip.ts'

/** The types of files that are stored. */
export type Extension = 'pdf' | 'xlsx' | 'xls' | 'doc' | 'docx' | 'csv'

const zipMagic = [0x50, 0x4b, 0x03, 0x04]
const oleMagic = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/** The extension of a file's name, in lower case. Errors: 415 when it is not in `allowedExtensions`. */
export function getExtension<E extends Extension>(name: string, allowedExtensions: readonly E[]): E {
  const suffix = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  const extension = allowedExtensions.find((allowedExtension) => allowedExtension === suffix)
  if (extension === undefined) {
    throw new AppError('file_type_not_allowed', { extensions: allowedExtensions.join(', ') })
  }
  return extension
}

/**
 * Checks that the content of a file matches its extension and that it unpacks within limits, before a parser reads it.
 * Errors: 422 for an empty file, 415 for other content, 413 for an archive that unpacks to too many bytes.
 */
export async function checkContent(path: string, extension: Extension): Promise<void> {
  if ((await stat(path)).size === 0) throw invalid([fieldError('file', 'file_empty')])
  const head = await readFirstBytes(path, 1024)
  switch (extension) {
    case 'pdf':
      return requireContentMatch(head.includes('%PDF-'), extension)
    case 'xlsx':
    case 'docx':
      if (startsWith(head, oleMagic)) throw createLockedFileError(extension)
      requireContentMatch(startsWith(head, zipMagic), extension)
      return requireContentMatch((await checkZip(path)).includes(extension), extension)
    case 'xls':
    case 'doc':
      requireContentMatch(startsWith(head, oleMagic), extension)
      return requireContentMatch(hasOfficeStream(await listOleStreams(path), extension), extension)
    case 'csv':
      return requireContentMatch(
        !startsWith(head, zipMagic) && !startsWith(head, oleMagic) && !head.includes('%PDF-'),
        extension,
      )
  }
}

/** A workbook or document with a password is in the container of the formats before 2007 (OLE). */
const createLockedFileError = (extension: Extension) => new AppError('file_locked', { extension })

function hasOfficeStream(streams: ReadonlySet<string>, extension: 'xls' | 'doc'): boolean {
  if (extension === 'doc') return streams.has('WordDocument')
  return streams.has('Workbook') || streams.has('Book')
}

function requireContentMatch(matches: boolean, extension: Extension): void {
  if (!matches) throw new AppError('file_type_mismatch', { extension })
}

const startsWith = (head: Buffer, magic: number[]) => magic.every((byte, at) => head[at] === byte)

async function readFirstBytes(path: string, count: number): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0)
  return buffer.subarray(0, bytesRead)
}
