import { AppError } from '../http/errors.ts'

const diskFullCodes = new Set(['ENOSPC', 'EDQUOT'])
const diskUnusableCodes = new Set(['EIO', 'EROFS', 'EMFILE', 'ENFILE'])

/** Converts a failure of the disk of uploaded files to an AppError; null for other errors. */
export function fromDiskError(error: unknown): AppError | null {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined || !(error instanceof Error)) return null
  if (diskFullCodes.has(code)) return new AppError('disk_full', {}, { retryAfter: 5 })
  if (diskUnusableCodes.has(code)) return new AppError('disk_unusable', {}, { retryAfter: 5 })
  return null
}
