import { resources } from '@karvon/contract/registry.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import pg from 'pg'
import { MessageTooLarge } from './pool.wire.ts'
import { AppError, invalid } from '../http/errors.ts'

/** The table of a resource: its name with `_`. */
export const tableOf = (resource: Resource): string => resource.name.replaceAll('-', '_')
const byTable = new Map(resources.map((each) => [tableOf(each), each]))

/** The resource whose rows a table holds, if it is one's. */
export const resourceOfTable = (table: string): Resource | undefined => byTable.get(table)

/**
 * What a failure of the database means to the caller, or null where it is our own fault.
 * Constraint names end in `_key` or `_fkey` and carry the columns, so the answer can name the field.
 */
export function appErrorOfDatabase(error: unknown): AppError | null {
  if (isDatabaseAway(error)) return new AppError('unavailable', whyAway(error), { retryAfter: 2 })
  if (error instanceof MessageTooLarge)
    return new AppError('invalid', 'The answer is too large: ask for fewer rows, or for a file.')
  if (!(error instanceof pg.DatabaseError)) return null
  const { code = '', constraint = '', table = '' } = error
  if (code === '23505') return duplicate(table, constraint)
  if (code === '23503') return dangling(table, constraint)
  if (code.startsWith('22')) return new AppError('invalid', 'A value does not fit what it is meant for.')
  if (code === '40001' || code === '40P01' || code === '57014' || code === '55P03') {
    return new AppError('unavailable', 'The database is busy. Try again.', { retryAfter: 1 })
  }
  return null
}

/** Whether a transaction failed only because of another and can be run once more. */
export const canRetry = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')

/** Whether a delete failed because something refers to the row. */
export const isReferred = (error: unknown): error is pg.DatabaseError =>
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
// The driver's own words, and those of a pool that ends with the process.
const lostTexts =
  /^(Connection terminated|timeout e(xpired|xceeded when trying to connect)|Client (was closed|has encountered a connection error)|Cannot use a pool after|driver has already been destroyed)/
// Connection, authorisation, resources (disk, memory, connections), shutting down, input and output, read only, gone.
const awayCodes = /^(08|28|53|57P0|58|25006|3D000)/

/**
 * Whether there is no database to work with for now: not reached, shutting down, refusing, lost on the way, out of
 * room, or a standby. What was lost on the way may have been committed.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // FATAL and PANIC end the connection, whatever their reason.
  if (error instanceof pg.DatabaseError)
    return awayCodes.test(error.code ?? '') || error.severity === 'FATAL' || error.severity === 'PANIC'
  const { code, syscall } = error as NodeJS.ErrnoException
  if (lostTexts.test(error.message)) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  return systemCodes.has(code ?? '') && systemCalls.has(syscall ?? '')
}

const reasons: Record<string, string> = {
  '53100': 'The disk of the database is full.',
  '53200': 'The database is out of memory.',
  '25006': 'The database takes no changes now.',
}

const whyAway = (error: unknown): string =>
  `${(error instanceof pg.DatabaseError && reasons[error.code ?? '']) || 'The database is away.'} Try again shortly.`

function duplicate(table: string, constraint: string): AppError {
  const fields = columnsIn(table, constraint.slice(table.length + 1).replace(/(_folded)?_key$/, ''))
  const how = constraint.endsWith('_folded_key') ? 'looks like one that is' : 'is'
  const labels = fields.map((field) => labelOf(table, field))
  const message =
    labels.length === 1
      ? `${labels.join()} ${how} already taken.`
      : `This combination of ${labels.join(' and ')} is already there.`
  return new AppError('duplicate', message, { errors: fields.map((field) => ({ field, message })) })
}

function dangling(table: string, constraint: string): AppError {
  const field = constraint.slice(table.length + 1).replace(/_fkey$/, '')
  return invalid([{ field, message: `${labelOf(table, field)} does not exist.` }])
}

const labelOf = (table: string, field: string): string => byTable.get(table)?.fields[field]?.label ?? field

/** `role_id_source_id` is role_id and source_id. */
function columnsIn(table: string, text: string): string[] {
  const keys = Object.keys(byTable.get(table)?.fields ?? {}).toSorted((a, b) => b.length - a.length)
  const found: string[] = []
  for (let rest = text; rest !== '';) {
    const key = keys.find((each) => rest === each || rest.startsWith(`${each}_`))
    if (key === undefined) return [text]
    found.push(key)
    rest = rest.slice(key.length + 1)
  }
  return found
}
