import { expect, test } from 'vitest'
import { AppError } from '../http/errors.ts'
import { findPasswordProblem, refuseWeakPassword } from './password-rules.ts'

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
  'pr1ncess99',
  'fr33dom99',
  '5unshine9',
  '7rus7no99',
  '$unshine99',
  'ｐａｓｓｗｏｒｄ',
  'qwertyuiop',
  'karvon2026',
  'ПАРОЛЬ2026',
  'zulfiya1990',
  'Zulfiya!!!',
  'zulfiya.k',
  '+998901234567',
  'sakkiz harf 8'.repeat(20),
])('the password rules refuse %s', (password) => {
  expect(() => refuseWeakPassword(password, ...about)).toThrow(AppError)
})

test.each([
  'sakkiz harf 8',
  'correct horse',
  'zulfiya va karvon',
  'kQ3-xx_91ab',
  'kQ3-xx_9',
  'x abcabcabc',
  'abcabcabc kQ',
  '8 4 1 5 9 2 6 5 3 5 8 9 7 9 3',
  'шахнозы-parol',
])('the password rules accept %s', (password) => {
  expect(() => refuseWeakPassword(password, ...about)).not.toThrow()
})

test.each([
  ['password_too_short', 'aB3$xyz'],
  ['password_too_long', 'kQ3-xx_91ab'.repeat(100)],
  ['password_repetitive', 'abcabcabca'],
  ['password_without_letters', '+998901234567'],
  ['password_common', 'P4SSWORD99'],
  ['password_is_name', 'Zulfiya!!!'],
])('a weak password is refused with the code %s', (code, password) => {
  expect(findPasswordProblem(password, ...about)).toMatchObject({ field: 'password', code })
})

test('the password rules accept an owner without a name and an address', () => {
  expect(findPasswordProblem('zulfiya1990', undefined, '')).toBeNull()
  expect(findPasswordProblem('8 4 1 5 9 2 6 5 3', '')).toBeNull()
})
