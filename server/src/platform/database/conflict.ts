import { sql } from 'kysely'
import { AppError } from '../http/errors.ts'

/** What `updated_at` becomes by a change: later than it was, even of two that began in the same microsecond. */
export const touched = sql<string>`greatest(now(), updated_at + interval '1 microsecond')`

/** 409 for a change of a row that somebody else changed since it was read; `updated_at` is named as the field at fault. */
export function changedMeanwhile(noun: string): AppError {
  const message = `Somebody changed this ${noun} meanwhile. Nothing was saved.`
  return new AppError('conflict', message, { errors: [{ field: 'updated_at', message }] })
}
