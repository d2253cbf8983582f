import { maxPassword } from '@karvon/contract/lib/limits.ts'
import { minPasswordLength } from '@karvon/contract/lib/password.ts'
import { invalid } from '../http/errors.ts'

/** The most common passwords, without the digits and signs around the letters. */
const commonPasswords = new Set(
  `password passwort passw parol parolparol qwerty qwertyui qwertyuiop asdfgh asdfghjkl zxcvbnm qazwsx qazwsxedc abcd abcdef
  abcdefgh abc admin administrator root user username login guest test testtest demo secret changeme default welcome letmein
  iloveyou loveyou sunshine princess football baseball basketball superman batman dragon monkey master shadow michael
  jennifer computer internet whatever starwars trustno freedom hello helloworld karvon karvonexpress tashkent toshkent
  uzbekistan ozbekiston samarkand samarqand buxoro bukhara пароль йцукен йцукенг привет любовь солнышко админ ташкент
  узбекистан карвон самарканд фывапролд`.split(/\s+/),
)

const letterOfSign: Readonly<Record<string, string>> = {
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

/**
 * Why a password is weak, as text after "The password"; null when it is not. `about`: names and addresses of its
 * owner.
 */
export function passwordWeakness(password: string, ...ownerTexts: (string | undefined)[]): string | null {
  const { length } = Array.from(password)
  if (length < minPasswordLength) return `must have at least ${minPasswordLength} characters`
  if (length > maxPassword) return `must have at most ${maxPassword} characters`
  const text = normalizeText(password)
  if (/^(.{1,4})\1+.?$/u.test(text)) return 'repeats itself'
  const spellings = [
    keepLetters(text),
    keepLetters(text.replaceAll(/[013457@$]/g, (sign) => letterOfSign[sign] ?? sign)),
  ]
  if (keepLetters(text) === '' && text.length < 16) return 'has digits and signs alone'
  if (spellings.some((each) => commonPasswords.has(each))) return 'is one of the most common'
  const ownerNames = ownerTexts.flatMap((each) =>
    each === undefined
      ? []
      : [keepLetters(normalizeText(each)), keepLetters(normalizeText(each.split('@')[0] ?? ''))],
  )
  return spellings.some((each) => each !== '' && ownerNames.includes(each))
    ? 'is the name of its owner'
    : null
}

/** Refuses a weak password. Errors: 422 with the field `password`. */
export function refuseWeakPassword(password: string, ...about: (string | undefined)[]): void {
  const weakness = passwordWeakness(password, ...about)
  if (weakness !== null) throw invalid([{ field: 'password', message: `The password ${weakness}.` }])
}
