import { open, stat } from 'node:fs/promises'
import { AppError } from '../http/errors.ts'
import { oleStreams } from './content.ole.ts'
import { checkZip } from './content.zip.ts'

/** What a stored file can be, by its name. */
export type Extension = 'pdf' | 'xlsx' | 'xls' | 'doc' | 'docx' | 'csv'

const zipMagic = [0x50, 0x4b, 0x03, 0x04]
const oleMagic = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/**
 * The extension that a file's name ends in, in small letters.
 * Errors: 415 `unsupported_type` for one that is not among `allowed`.
 */
export function extensionOf<E extends Extension>(name: string, allowed: readonly E[]): E {
  const found = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  const extension = allowed.find((each) => each === found)
  if (extension === undefined) {
    throw new AppError(
      'unsupported_type',
      `A file of this kind is not taken. Taken are: ${allowed.join(', ')}.`,
    )
  }
  return extension
}

/**
 * Checks before any parser that a file is what its extension says, and that unpacking it stays within bounds.
 * Errors: 422 `invalid` for an empty file, 415 `unsupported_type` for other content, 413 `too_large` for an
 * archive that unpacks to too much.
 */
export async function checkContent(path: string, extension: Extension): Promise<void> {
  if ((await stat(path)).size === 0) throw new AppError('invalid', 'The file is empty.', emptyFile)
  const head = await firstBytes(path, 1024)
  switch (extension) {
    case 'pdf':
      return accept(head.includes('%PDF-'), extension)
    case 'xlsx':
    case 'docx':
      if (starts(head, oleMagic)) throw lockedOrOld(extension)
      accept(starts(head, zipMagic), extension)
      return accept((await checkZip(path)).includes(extension), extension)
    case 'xls':
    case 'doc':
      accept(starts(head, oleMagic), extension)
      return accept(belongs(await oleStreams(path), extension), extension)
    case 'csv':
      return accept(!starts(head, zipMagic) && !starts(head, oleMagic) && !head.includes('%PDF-'), extension)
  }
}

const emptyFile = { errors: [{ field: 'file', message: 'The file is empty.' }] }

/** Excel keeps a workbook's password-locked content, and its format before 2007, in the same container. */
const lockedOrOld = (extension: Extension) =>
  new AppError(
    'unsupported_type',
    `The file is locked by a password or in an older format. Save it as a plain .${extension} and send it again.`,
  )

function belongs(streams: ReadonlySet<string>, extension: 'xls' | 'doc'): boolean {
  if (extension === 'doc') return streams.has('WordDocument')
  return streams.has('Workbook') || streams.has('Book')
}

function accept(fits: boolean, extension: Extension): void {
  if (!fits)
    throw new AppError('unsupported_type', `The content of the file is not what .${extension} promises.`)
}

const starts = (head: Buffer, magic: number[]) => magic.every((byte, at) => head[at] === byte)

async function firstBytes(path: string, count: number): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0)
  return buffer.subarray(0, bytesRead)
}
