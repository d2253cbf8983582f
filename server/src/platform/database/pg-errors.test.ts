import pg from 'pg'
import { expect, test } from 'vitest'
import { fromDiskError } from '../files/disk-errors.ts'
import { fromDatabaseError } from './pg-errors.ts'

const describeError = (error: unknown) => {
  const { status, message, retryAfter } = fromDatabaseError(error) ?? {}
  return [status, message, retryAfter]
}

function createServerError(code: string, severity = 'ERROR'): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('message', 4, 'error'), { code, severity })
}

test.each(['postbacks', 'postbacks_2027_01', 'postbacks_rest'])(
  'a missing reference in %s names the field of the log',
  (table) => {
    const error = Object.assign(createServerError('23503'), { table, constraint: 'postbacks_source_id_fkey' })
    expect(fromDatabaseError(error)).toMatchObject({ status: 422, errors: [{ field: 'source_id' }] })
  },
)

const unavailableAnswer = [503, 'The database is away. Try again shortly.', 2]

test.each([
  ['53100', 'The disk of the database is full. Try again shortly.'],
  ['53200', 'The database is out of memory. Try again shortly.'],
  ['25006', 'The database is read-only. Try again shortly.'],
])('the database error %s answers 503: %s', (code, message) => {
  expect(describeError(createServerError(code))).toEqual([503, message, 2])
})

test.each(['08006', '53300', '57P01', '57P02', '57P03', '58030', '28P01', '3D000'])(
  'the database error %s answers 503',
  (code) => {
    expect(describeError(createServerError(code))).toEqual(unavailableAnswer)
  },
)

test("an error that ends the connection answers 503, and a statement's own fault does not", () => {
  expect(describeError(createServerError('XX000', 'PANIC'))).toEqual(unavailableAnswer)
  expect(describeError(createServerError('XX000', 'FATAL'))).toEqual(unavailableAnswer)
  expect(fromDatabaseError(createServerError('XX000'))).toBe(null)
  expect(fromDatabaseError(createServerError('42703'))).toBe(null)
})

test.each([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'Client was closed and is not queryable',
  'Client has encountered a connection error and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'driver has already been destroyed',
])('the driver\'s error "%s" answers 503', (message) => {
  expect(describeError(new Error(message))).toEqual(unavailableAnswer)
})

test.each([
  ['ECONNREFUSED', 'connect'],
  ['EHOSTUNREACH', 'connect'],
  ['ECONNRESET', 'read'],
  ['EPIPE', 'write'],
  ['ENOTFOUND', 'getaddrinfo'],
])('the network error %s of %s answers 503', (code, syscall) => {
  const error = Object.assign(new Error(code), { code, syscall })
  expect(describeError(error)).toEqual(unavailableAnswer)
  expect(describeError(new AggregateError([error]))).toEqual(unavailableAnswer)
})

test('a full disk answers 503, and another file error is an internal error', () => {
  const convertFileError = (code: string) =>
    fromDiskError(Object.assign(new Error(code), { code, syscall: 'write' }))
  expect(convertFileError('ENOSPC')).toMatchObject({
    status: 503,
    message: 'The disk for files is full. Try again shortly.',
  })
  expect(convertFileError('EDQUOT')).toMatchObject({ status: 503, retryAfter: 5 })
  expect(convertFileError('EIO')).toMatchObject({ status: 503 })
  expect(convertFileError('EISDIR')).toBe(null)
  expect(fromDiskError(new Error('ENOSPC'))).toBe(null)
})
