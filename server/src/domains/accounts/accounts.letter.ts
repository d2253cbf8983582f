import type { Mail } from '../../platform/mail/mail.ts'

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

const events: Readonly<Record<string, string>> = {
  email: 'изменён email: следующие письма придут на новый адрес',
  password: 'изменён пароль',
  second_factor_on: 'включён второй фактор',
  second_factor_off: 'отключён второй фактор',
  telegram_linked: 'подключён чат Telegram',
  telegram_unlinked: 'отключён чат Telegram',
}

/** The mail that tells what changed of an account, to the address that it had before. */
export const accountLetter = (to: string, username: string, event: string): Mail => ({
  to,
  subject: 'Karvon Express: изменение учётной записи',
  text: `Здравствуйте!

У пользователя ${oneLine(username)} ${events[event] ?? 'изменились данные для входа'}.

Если это сделали не вы, сразу сообщите администратору.
`,
})
