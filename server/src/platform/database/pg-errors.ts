import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { resources } from '@karvon/contract/registry.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import pg from 'pg'
import { UnsuitableConnectionError } from './connection.check.ts'
import { MessageTooLargeError } from './pool.wire.ts'
import { AppError, invalid } from '../http/errors.ts'

/** The table of a resource is its name with `_` instead of `-`. */
export const getTableName = (resource: Resource): string => resource.name.replaceAll('-', '_')
const resourcesByTable = new Map(resources.map((resource) => [getTableName(resource), resource]))

export const findResourceByTable = (table: string): Resource | undefined => resourcesByTable.get(table)

/**
 * Converts an error of the database to an AppError; null for a defect of the product. The names of constraints contain
 * the columns and end in `_key` or `_fkey`, so the answer can name the field.
 */
export function fromDatabaseError(error: unknown): AppError | null {
  if (isDatabaseUnavailable(error)) return new AppError(findUnavailabilityCode(error), {}, { retryAfter: 2 })
  if (error instanceof MessageTooLargeError) return new AppError('answer_too_large')
  if (!(error instanceof pg.DatabaseError)) return null
  const { code = '', constraint = '', table = '' } = error
  if (code === '23505') return createDuplicateError(table, constraint)
  if (code === '23503') return createMissingReferenceError(table, constraint)
  if (isUnfitValue(error)) return new AppError('value_unfit')
  if (code === '40001' || code === '40P01' || code === '57014' || code === '55P03') {
    return new AppError('database_busy', {}, { retryAfter: 1 })
  }
  return null
}

/** Whether a transaction failed because of a parallel one (deadlock, serialisation) and can run again. */
export const canRetry = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')

/**
 * Whether a transaction can run again that finds or creates the rows that it refers to: like {@link canRetry}, and after
 * another transaction deleted a row that this one had found. The next attempt creates it again.
 */
export const canRetryReferences = (error: unknown): boolean => canRetry(error) || isForeignKeyViolation(error)

/** Whether a value does not fit into its column, such as a sum that is too large. */
export const isUnfitValue = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code?.startsWith('22') === true

/** Whether a statement was cancelled, usually by its timeout. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014'

/** Whether a statement waited for a lock longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03'

export const isForeignKeyViolation = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code === '23503'

const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const systemCalls = new Set(['connect', 'read', 'write', 'getaddrinfo'])
// Messages of the driver and of a closed pool.
const connectionLostPattern =
  /^(Connection terminated|timeout e(xpired|xceeded when trying to connect)|Query read timeout|Client (was closed|has encountered a connection error)|Cannot use a pool after|driver has already been destroyed)/
// Connection, authorisation, resources (disk, memory, connections), shutdown, input and output, read-only server,
// missing database.
const unavailableCodes = /^(08|28|53|57P0|58|25006|3D000)/

/**
 * Whether the database is unavailable for now: unreachable, shutting down, refusing connections, out of disk or
 * memory, a standby, unsuitable, or the connection was lost. A statement on a lost connection may have been committed.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof UnsuitableConnectionError) return true
  // FATAL and PANIC always end the connection.
  if (error instanceof pg.DatabaseError)
    return unavailableCodes.test(error.code ?? '') || error.severity === 'FATAL' || error.severity === 'PANIC'
  const { code, syscall } = error as NodeJS.ErrnoException
  if (connectionLostPattern.test(error.message)) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  return systemCodes.has(code ?? '') && systemCalls.has(syscall ?? '')
}

function findUnavailabilityCode(error: unknown) {
  const code = error instanceof pg.DatabaseError ? error.code : undefined
  if (code === '53100') return 'database_disk_full'
  if (code === '53200') return 'database_out_of_memory'
  return code === '25006' ? 'database_read_only' : 'database_away'
}

function createDuplicateError(table: string, constraint: string): AppError {
  const fields = splitColumns(table, constraint.slice(table.length + 1).replace(/(_folded)?_key$/, ''))
  const [firstLabel = '', ...otherLabels] = fields.map((field) => getFieldLabel(table, field))
  if (otherLabels.length > 0)
    return new AppError(
      'combination_exists',
      { first: firstLabel, second: otherLabels.join(' and ') },
      { fields },
    )
  const code = constraint.endsWith('_folded_key') ? 'lookalike_exists' : 'already_exists'
  return new AppError(code, { label: firstLabel }, { fields })
}

function createMissingReferenceError(partition: string, constraint: string): AppError {
  // A partition of a log has the constraints of the log.
  const table = partition.replace(/_(?:before|rest|\d{4}_\d{2})$/, '')
  const field = constraint.slice(table.length + 1).replace(/_fkey$/, '')
  return invalid([fieldError(field, 'reference_missing', { label: getFieldLabel(table, field) })])
}

const getFieldLabel = (table: string, field: string): string =>
  resourcesByTable.get(table)?.fields[field]?.label ?? field

/** Splits `role_id_source_id` into role_id and source_id. */
function splitColumns(table: string, text: string): string[] {
  const keys = Object.keys(resourcesByTable.get(table)?.fields ?? {}).toSorted((a, b) => b.length - a.length)
  const columns: string[] = []
  for (let rest = text; rest !== '';) {
    const key = keys.find((fieldName) => rest === fieldName || rest.startsWith(`${fieldName}_`))
    if (key === undefined) return [text]
    columns.push(key)
    rest = rest.slice(key.length + 1)
  }
  return columns
}
