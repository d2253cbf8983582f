import { sql } from 'kysely'
import { AppError } from '../http/errors.ts'

/** SQL of the next `updated_at`: always later than the old one, even for two changes in the same microsecond. */
export const nextUpdatedAt = sql<string>`greatest(now(), updated_at + interval '1 microsecond')`

/** 409 when the row has changed since the caller read it (expected version). The wrong field is `updated_at`. */
export function createConflictError(noun: string): AppError {
  const message = `Somebody changed this ${noun} meanwhile. Nothing was saved.`
  return new AppError('conflict', message, { errors: [{ field: 'updated_at', message }] })
}
