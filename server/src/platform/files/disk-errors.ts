import { AppError } from '../http/errors.ts'

const full = new Set(['ENOSPC', 'EDQUOT'])
const unwritable = new Set(['EIO', 'EROFS', 'EMFILE', 'ENFILE'])

/** What a failure of the disk that uploaded files lie on means to the caller; null where it is no such failure. */
export function appErrorOfDisk(error: unknown): AppError | null {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined || !(error instanceof Error)) return null
  if (full.has(code))
    return new AppError('unavailable', 'The disk for files is full. Try again shortly.', { retryAfter: 5 })
  if (unwritable.has(code))
    return new AppError('unavailable', 'The disk for files cannot be used now. Try again shortly.', {
      retryAfter: 5,
    })
  return null
}
