import { expect, test } from 'vitest'
import { AppError } from '../http/errors.ts'
import { refuseWeakPassword } from './password-rules.ts'

const about = ['zulfiya', 'zulfiya.k@example.uz'] as const

test.each([
  'a',
  '1234567',
  '12345678',
  'aaaaaaaa',
  'abcabcabc',
  'Password1!',
  'p@ssw0rd',
  'P4SSWORD99',
  'ｐａｓｓｗｏｒｄ',
  'qwertyuiop',
  'karvon2026',
  'ПАРОЛЬ2026',
  'zulfiya1990',
  'Zulfiya!!!',
  'zulfiya.k',
  '+998901234567',
  'sakkiz harf 8'.repeat(20),
])('refuses %s', (password) => {
  expect(() => refuseWeakPassword(password, ...about)).toThrow(AppError)
})

test.each([
  'sakkiz harf 8',
  'correct horse',
  'zulfiya va karvon',
  'kQ3-xx_91ab',
  '8 4 1 5 9 2 6 5 3 5 8 9 7 9 3',
  'шахнозы-parol',
])('takes %s', (password) => {
  expect(() => refuseWeakPassword(password, ...about)).not.toThrow()
})
