import { sql } from 'kysely'
import { AppError } from '../http/errors.ts'

/** SQL of the next `updated_at`: always later than the old one, even for two changes in the same microsecond. */
export const nextUpdatedAt = sql<string>`greatest(now(), updated_at + interval '1 microsecond')`

/** The error 409 for the field `updated_at`: the row has changed since the caller read it. */
export const createConflictError = (noun: string): AppError =>
  new AppError('edit_conflict', { noun }, { fields: ['updated_at'] })
