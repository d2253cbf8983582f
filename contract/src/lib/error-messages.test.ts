import { expect, expectTypeOf, test } from 'vitest'
import { errorMessages, type ErrorParams } from './error-messages.ts'
import { describeSync, syncMessages } from './sync-messages.ts'
import { describeMessage, fieldError, fieldMessages, labelledError, valueFault } from './field-messages.ts'

const errors = Object.entries(errorMessages)
const fields = Object.entries(fieldMessages)
const statuses = [400, 401, 403, 404, 405, 409, 410, 412, 413, 414, 415, 416, 417, 422, 429, 500, 503]

test.each(errors)(
  'the error %s has a plain code, a documented status and a whole sentence',
  (code, error) => {
    expect(code).toMatch(/^[a-z][a-z0-9_]*$/)
    expect(statuses).toContain(error.status)
    // A message that is only a parameter comes from elsewhere.
    expect(error.text).toMatch(/^(\{\w+\}\.?|[A-Z{].*(\.|\{detail\}))$/)
  },
)

test.each(fields)('the message %s of a field has a plain code and begins as a sentence', (code, text) => {
  expect(code).toMatch(/^[a-z][a-z0-9_]*$/)
  expect(text).toMatch(/^([A-Z]|\{(label|from|orders|problem)\})/)
})

test.each(Object.entries(syncMessages))(
  'the message %s of a sync has a plain code and begins as a sentence',
  (code, text) => {
    expect(code).toMatch(/^[a-z][a-z0-9_]*$/)
    expect(text).toMatch(/^([A-Z]|"?\{(host|url|rows)\})/)
  },
)

test('no code is in two catalogues', () => {
  const codes = [errorMessages, fieldMessages, syncMessages].flatMap((messages) => Object.keys(messages))
  expect(codes.length).toBe(new Set(codes).size)
})

test('each message of a field and each error of a status has a code of its own', () => {
  const texts = fields.map(([, text]) => text)
  expect(new Set(texts).size).toBe(texts.length)
  const sentences = errors.map(([, { status, text }]) => `${status} ${text}`)
  expect(new Set(sentences).size).toBe(sentences.length)
})

test('the error of a field has its message, its code and its parameters', () => {
  const tooLong = { field: 'name', message: 'Name is longer than 5 characters', code: 'longer_than' }
  expect(labelledError('name', 'Name', valueFault('longer_than', { max: 5 }))).toEqual({
    ...tooLong,
    params: { label: 'Name', max: 5 },
  })
  expect(fieldError('file', 'file_empty')).toEqual({
    field: 'file',
    message: 'The file is empty.',
    code: 'file_empty',
  })
  expect(describeSync('network_wait', { seconds: 45 })).toEqual({
    message: 'The network asks to wait 45 s.',
    code: 'network_wait',
    params: { seconds: 45 },
  })
  expect(describeMessage('not_found', { noun: 'lead' })).toEqual({
    message: 'No such lead.',
    code: 'not_found',
    params: { noun: 'lead' },
  })
})

test('the types name the parameters of a code', () => {
  expectTypeOf<keyof ErrorParams<'unauthenticated'>>().toBeNever()
  expectTypeOf<keyof ErrorParams<'not_found'>>().toEqualTypeOf<'noun'>()
  // @ts-expect-error A parameter is missing.
  fieldError('name', 'too_long', { label: 'Name' })
  // @ts-expect-error A parameter is misspelt.
  valueFault('longer_than', { maximum: 5 })
  // @ts-expect-error The message has no parameters.
  fieldError('file', 'file_empty', { label: 'File' })
})
