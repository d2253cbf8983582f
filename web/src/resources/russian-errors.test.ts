import { expect, test } from 'vitest'
import { HttpError } from '../lib/http.ts'
import { describeHttpFailure } from '../lib/http.texts.ts'
import { getRussianErrorMessage } from './russian-errors.ts'

const failureText = describeHttpFailure('status', { status: 429 })
const answerWith = (problem: object) =>
  new HttpError(failureText, { response: new Response(null, { status: 429 }), answer: problem })

test('a Russian screen shows a known error in Russian', () => {
  expect(getRussianErrorMessage(new HttpError(describeHttpFailure('timeout', { seconds: 5 })))).toBe(
    'Сервер не ответил за 5 с.',
  )
  const detail = 'Too many failed attempts. Try again in 30 s.'
  const limitError = answerWith({ detail, code: 'too_many_failed_attempts', params: { seconds: 30 } })
  expect(getRussianErrorMessage(limitError)).toBe(
    'Слишком много неудачных попыток. Попробуйте снова через 30 с.',
  )
})

test('a Russian screen shows the message of an invalid field in Russian, with the label of the field', () => {
  const message = 'Username is already taken.'
  const errors = [{ field: 'username', message, code: 'already_exists', params: { label: 'Username' } }]
  expect(getRussianErrorMessage(answerWith({ detail: message, code: 'invalid', errors }))).toBe(
    'Значение поля «Имя пользователя» уже занято.',
  )
})

test('an error without a known code keeps the words of the host', () => {
  expect(getRussianErrorMessage(answerWith({ detail: 'chat not found' }))).toBe('chat not found')
  expect(getRussianErrorMessage(answerWith({ message: 'chat not found', code: 'x' }))).toBe('chat not found')
  expect(getRussianErrorMessage(new Error('chat not found'))).toBe('chat not found')
})
