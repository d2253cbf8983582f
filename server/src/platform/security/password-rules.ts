import { maxPassword } from '@karvon/contract/lib/limits.ts'
import { shortestPassword } from '@karvon/contract/lib/password.ts'
import { invalid } from '../http/errors.ts'

/** What the most common passwords are made of, without the digits and signs around it. */
const common = new Set(
  `password passwort passw parol parolparol qwerty qwertyui qwertyuiop asdfgh asdfghjkl zxcvbnm qazwsx qazwsxedc abcd abcdef
  abcdefgh abc admin administrator root user username login guest test testtest demo secret changeme default welcome letmein
  iloveyou loveyou sunshine princess football baseball basketball superman batman dragon monkey master shadow michael
  jennifer computer internet whatever starwars trustno freedom hello helloworld karvon karvonexpress tashkent toshkent
  uzbekistan ozbekiston samarkand samarqand buxoro bukhara пароль йцукен йцукенг привет любовь солнышко админ ташкент
  узбекистан карвон самарканд фывапролд`.split(/\s+/),
)

const letters: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
}
const plain = (text: string) => text.normalize('NFKC').toLowerCase()
const bare = (text: string) => text.replaceAll(/[^\p{L}]+/gu, '')

/** Why a password is too easy to guess, as it follows "The password"; null where it is not. `about` is what is known of its owner. */
export function passwordWeakness(password: string, ...about: (string | undefined)[]): string | null {
  const { length } = Array.from(password)
  if (length < shortestPassword) return `must have at least ${shortestPassword} characters`
  if (length > maxPassword) return `must have at most ${maxPassword} characters`
  const text = plain(password)
  if (/^(.{1,4})\1+.?$/u.test(text)) return 'repeats itself'
  const spellings = [bare(text), bare(text.replaceAll(/[013457@$]/g, (sign) => letters[sign] ?? sign))]
  if (bare(text) === '' && text.length < 16) return 'has digits and signs alone'
  if (spellings.some((each) => common.has(each))) return 'is one of the most common'
  const own = about.flatMap((each) =>
    each === undefined ? [] : [bare(plain(each)), bare(plain(each.split('@')[0] ?? ''))],
  )
  return spellings.some((each) => each !== '' && own.includes(each)) ? 'is the name of its owner' : null
}

/** Refuses a password that is quickly guessed. Errors: 422 naming `password`. */
export function refuseWeakPassword(password: string, ...about: (string | undefined)[]): void {
  const why = passwordWeakness(password, ...about)
  if (why !== null) throw invalid([{ field: 'password', message: `The password ${why}.` }])
}
