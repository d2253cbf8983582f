import { expect, test } from 'vitest'
import { HttpError } from '../../lib/http.ts'
import { describeHttpFailure } from '../../lib/http.texts.ts'
import { getLoginError } from './login.api.ts'

const refusal = (status: number, problem?: unknown) =>
  new HttpError(describeHttpFailure('status', { status }), {
    response: new Response(null, { status }),
    answer: problem,
  })

test('a refused sign-in shows the text for its status or its detail', () => {
  expect(getLoginError(refusal(401, { detail: 'no' }))).toBe('Неверное имя пользователя или пароль')
  expect(getLoginError(refusal(422, { detail: 'Locked' }))).toBe('Locked')
  expect(getLoginError(refusal(500))).toBe('Запрос не выполнен, код 500')
  expect(getLoginError(new Error('Неверный ответ от сервера'))).toBe('Неверный ответ от сервера')
})

test('a sign-in error without a text is shown as unknown', () => {
  const unknownErrorText = 'Произошла неизвестная ошибка. Пожалуйста, попробуйте снова.'
  for (const error of [new Error(''), 'text', undefined, null])
    expect(getLoginError(error)).toBe(unknownErrorText)
})

test('an HTTP error has the response, its status, detail and code', () => {
  const error = refusal(409, { detail: 'Taken', code: 'duplicate' })
  expect(error).toMatchObject({ status: 409, detail: 'Taken', code: 'duplicate', message: 'Taken' })
  expect(error.response?.status).toBe(409)
  expect(new HttpError(describeHttpFailure('unreachable')).response).toBeUndefined()
})
