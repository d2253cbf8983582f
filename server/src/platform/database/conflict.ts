import { sql } from 'kysely'
import { AppError } from '../http/errors.ts'

/** SQL of the next `updated_at`: always later than the old one, even for two changes in the same microsecond. */
export const nextUpdatedAt = sql<string>`greatest(now(), updated_at + interval '1 microsecond')`

/** 409 when the row has changed since the caller read it (expected version). The wrong field is `updated_at`. */
export const createConflictError = (noun: string): AppError =>
  new AppError('changed_meanwhile', { noun }, { fields: ['updated_at'] })
