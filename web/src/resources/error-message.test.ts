import { expect, test } from 'vitest'
import ru from '../lib/i18n/ru.json'
import errors from '../lib/errors.ru.json'
import { HttpError } from '../lib/http.ts'
import { httpTexts } from '../lib/http.texts.ts'
import { getRussianErrorMessage } from './error-message.tsx'

test('the Russian screens and the Russian language have the same words for a failure', () => {
  expect(ru).toMatchObject(errors)
})

test('a failure is put into Russian, and what nobody knows stays as it is', () => {
  expect(getRussianErrorMessage(new HttpError(httpTexts.timeout(5)))).toBe('Сервер не ответил за 5 с.')
  expect(getRussianErrorMessage(new HttpError(httpTexts.unreachable))).toBe('Сервер недоступен.')
  const slowDown = { detail: 'Too many failed attempts. Try again in 30 s.' }
  expect(getRussianErrorMessage(new HttpError('x', new Response(null, { status: 429 }), slowDown))).toBe(
    'Слишком много неудачных попыток. Попробуйте снова через 30 с.',
  )
  expect(getRussianErrorMessage(new Error('chat not found'))).toBe('chat not found')
})
