import type { Mail } from '../clients/mail.ts'

/** Words that stay on their line and give no line of their own to anybody. */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 100)

/** The mail with a link to a new password. In Russian, as the screens that it belongs to. */
export const resetLetter = (to: string, username: string, link: string): Mail => ({
  to,
  subject: 'Karvon Express: новый пароль',
  text: `Здравствуйте!

Для пользователя ${oneLine(username)} запрошен новый пароль. Задать его можно по этой ссылке в течение часа, один раз:

${link}

Если вы этого не просили, ничего не делайте: пароль остаётся прежним.
`,
})
