import type { Mail } from '../../platform/mail/mail.ts'

/** Replaces line breaks and control characters, so that a username cannot add lines to a mail. */
const toOneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 100)

/** The mail with a link to set a new password. It is in Russian like the screens that it belongs to. */
export const createResetMail = (to: string, username: string, link: string): Mail => ({
  to,
  subject: 'Karvon Express: новый пароль',
  text: `Здравствуйте!

Для пользователя ${toOneLine(username)} запрошен новый пароль. Задать его можно по этой ссылке в течение часа, один раз:

${link}

Если вы этого не просили, ничего не делайте: пароль остаётся прежним.
`,
})

const eventTexts: Readonly<Record<string, string>> = {
  email: 'изменён email: следующие письма придут на новый адрес',
  password: 'изменён пароль',
  second_factor_on: 'включён второй фактор',
  second_factor_off: 'отключён второй фактор',
  telegram_linked: 'подключён чат Telegram',
  telegram_unlinked: 'отключён чат Telegram',
}

/** The mail about a change of an account, to the address before the change. */
export const createAccountChangeMail = (to: string, username: string, event: string): Mail => ({
  to,
  subject: 'Karvon Express: изменение учётной записи',
  text: `Здравствуйте!

У пользователя ${toOneLine(username)} ${eventTexts[event] ?? 'изменились данные для входа'}.

Если это сделали не вы, сразу сообщите администратору.
`,
})
