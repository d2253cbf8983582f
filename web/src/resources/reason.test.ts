import { expect, test } from 'vitest'
import ru from '../lib/i18n/ru.json'
import errors from '../lib/errors.ru.json'
import { HttpError } from '../lib/http.ts'
import { httpTexts } from '../lib/http.texts.ts'
import { russianReason } from './reason.tsx'

test('the Russian screens and the Russian language have the same words for a failure', () => {
  expect(ru).toMatchObject(errors)
})

test('a failure is put into Russian, and what nobody knows stays as it is', () => {
  expect(russianReason(new HttpError(httpTexts.timeout(5)))).toBe('Сервер не ответил за 5 с.')
  expect(russianReason(new HttpError(httpTexts.unreachable))).toBe('Сервер недоступен.')
  const slowDown = { detail: 'Too many failed attempts. Try again in 30 s.' }
  expect(russianReason(new HttpError('x', new Response(null, { status: 429 }), slowDown))).toBe(
    'Слишком много неудачных попыток. Попробуйте снова через 30 с.',
  )
  expect(russianReason(new Error('chat not found'))).toBe('chat not found')
})
