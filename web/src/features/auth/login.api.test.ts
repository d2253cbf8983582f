import { expect, test } from 'vitest'
import { HttpError } from '../../lib/http.ts'
import { getLoginError } from './login.api.ts'

const refusal = (status: number, problem?: unknown) =>
  new HttpError(`Request failed with status code ${status}`, new Response(null, { status }), problem)

test('a refused sign-in is put into the words of the catalogue', () => {
  expect(getLoginError(refusal(401, { detail: 'no' }))).toBe('Неверное имя пользователя или пароль')
  expect(getLoginError(refusal(422, { detail: 'Locked' }))).toBe('Locked')
  expect(getLoginError(refusal(500))).toBe('Запрос не выполнен, код 500')
  expect(getLoginError(new Error('Неверный ответ от сервера'))).toBe('Неверный ответ от сервера')
})

test('what has no words at all is an unknown error', () => {
  const unknown = 'Произошла неизвестная ошибка. Пожалуйста, попробуйте снова.'
  for (const thrown of [new Error(''), 'text', undefined, null]) expect(getLoginError(thrown)).toBe(unknown)
})

test('the response and its status stay on the raised error', () => {
  const error = refusal(409, { detail: 'Taken', code: 'duplicate' })
  expect(error).toMatchObject({ status: 409, detail: 'Taken', code: 'duplicate', message: 'Taken' })
  expect(error.response?.status).toBe(409)
  expect(new HttpError('away').response).toBeUndefined()
})
