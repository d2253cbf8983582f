import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { maxPassword } from '@karvon/contract/lib/limits.ts'
import { minPasswordLength } from '@karvon/contract/lib/password.ts'
import type { FieldProblem } from '@karvon/contract/lib/problem.ts'
import { invalid } from '../http/errors.ts'

const field = 'password'

/** The letters of the most common passwords. */
const commonPasswords = new Set(
  `password passwort passw parol parolparol qwerty qwertyui qwertyuiop asdfgh asdfghjkl zxcvbnm qazwsx qazwsxedc abcd abcdef
  abcdefgh abc admin administrator root user username login guest test testtest demo secret changeme default welcome letmein
  iloveyou loveyou sunshine princess football baseball basketball superman batman dragon monkey master shadow michael
  jennifer computer internet whatever starwars trustno freedom hello helloworld karvon karvonexpress tashkent toshkent
  uzbekistan ozbekiston samarkand samarqand buxoro bukhara пароль йцукен йцукенг привет любовь солнышко админ ташкент
  узбекистан карвон самарканд фывапролд`.split(/\s+/),
)

const letterByCharacter: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
}
const normalizeText = (text: string) => text.normalize('NFKC').toLowerCase()
const keepLetters = (text: string) => text.replaceAll(/[^\p{L}]+/gu, '')

/** Returns the error of a weak password, or null. `ownerTexts`: names and addresses of its owner. */
export function findPasswordProblem(
  password: string,
  ...ownerTexts: (string | undefined)[]
): FieldProblem | null {
  const { length } = Array.from(password)
  if (length < minPasswordLength) return fieldError(field, 'password_too_short', { min: minPasswordLength })
  if (length > maxPassword) return fieldError(field, 'password_too_long', { max: maxPassword })
  const text = normalizeText(password)
  if (/^(.{1,4})\1+.?$/u.test(text)) return fieldError(field, 'password_repetitive')
  const spellings = [
    keepLetters(text),
    keepLetters(text.replaceAll(/[013457@$]/g, (character) => letterByCharacter[character] ?? character)),
  ]
  if (keepLetters(text) === '' && text.length < 16) return fieldError(field, 'password_without_letters')
  if (spellings.some((spelling) => commonPasswords.has(spelling))) return fieldError(field, 'password_common')
  const ownerNames = ownerTexts.flatMap((ownerText) =>
    ownerText === undefined
      ? []
      : [keepLetters(normalizeText(ownerText)), keepLetters(normalizeText(ownerText.split('@')[0] ?? ''))],
  )
  return spellings.some((spelling) => spelling !== '' && ownerNames.includes(spelling))
    ? fieldError(field, 'password_is_name')
    : null
}

/** Refuses a weak password. Errors: 422 with the field `password`. */
export function refuseWeakPassword(password: string, ...ownerTexts: (string | undefined)[]): void {
  const problem = findPasswordProblem(password, ...ownerTexts)
  if (problem !== null) throw invalid([problem])
}
