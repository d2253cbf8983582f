import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { defaultLanguage, fillText, type Text } from '../../platform/texts/texts.ts'

export const mailTexts = {
  resetSubject: {
    ru: 'Karvon Express: новый пароль',
    uz: 'Karvon Express: yangi parol',
    en: 'Karvon Express: a new password',
  },
  reset: {
    ru: `Здравствуйте!

Для пользователя {username} запрошен новый пароль. Задать его можно по этой ссылке в течение часа, один раз:

{link}

Если вы этого не просили, ничего не делайте: пароль остаётся прежним.
`,
    uz: `Assalomu alaykum!

{username} foydalanuvchisi uchun yangi parol so‘raldi. Uni bir soat ichida, bir marta shu havola orqali o‘rnatish mumkin:

{link}

Agar buni siz so‘ramagan bo‘lsangiz, hech narsa qilmang: parol avvalgidek qoladi.
`,
    en: `Hello!

A new password was requested for the user {username}. It can be set by this link within an hour, once:

{link}

If you did not request it, do nothing: the password stays as it is.
`,
  },
  changeSubject: {
    ru: 'Karvon Express: изменение учётной записи',
    uz: 'Karvon Express: hisobdagi o‘zgarish',
    en: 'Karvon Express: a change of your account',
  },
  change: {
    ru: `Здравствуйте!

У пользователя {username} {event}.

Если это сделали не вы, сразу сообщите администратору.
`,
    uz: `Assalomu alaykum!

{username} foydalanuvchisi: {event}.

Agar buni siz qilmagan bo‘lsangiz, darhol administratorga xabar bering.
`,
    en: `Hello!

User {username}: {event}.

If it was not you, tell an administrator at once.
`,
  },
} as const satisfies Record<string, Text>

/** What changed, by the event of the mail. */
export const mailEventTexts: Readonly<Record<string, Text>> = {
  email: {
    ru: 'изменён email: следующие письма придут на новый адрес',
    uz: 'email o‘zgartirildi, keyingi xatlar yangi manzilga keladi',
    en: 'the email was changed, and the next mails go to the new address',
  },
  password: { ru: 'изменён пароль', uz: 'parol o‘zgartirildi', en: 'the password was changed' },
  second_factor_on: {
    ru: 'включён второй фактор',
    uz: 'ikkinchi omil yoqildi',
    en: 'the second factor was turned on',
  },
  second_factor_off: {
    ru: 'отключён второй фактор',
    uz: 'ikkinchi omil o‘chirildi',
    en: 'the second factor was turned off',
  },
  telegram_linked: {
    ru: 'подключён чат Telegram',
    uz: 'Telegram chati ulandi',
    en: 'a Telegram chat was linked',
  },
  telegram_unlinked: {
    ru: 'отключён чат Telegram',
    uz: 'Telegram chati uzildi',
    en: 'the Telegram chat was unlinked',
  },
}
const otherEvent: Text = {
  ru: 'изменились данные для входа',
  uz: 'kirish ma’lumotlari o‘zgardi',
  en: 'the sign-in data changed',
}

/** Who gets a mail. A person without a language gets Russian. */
export interface MailReceiver {
  address: string
  username: string
  language: PersonLanguage | null
}

/** Replaces line breaks and control characters, so that a username cannot add lines to a mail. */
const toOneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 100)

/** The mail with a link to set a new password. */
export function createResetMail(to: MailReceiver, link: string): Mail {
  const language = to.language ?? defaultLanguage
  return {
    to: to.address,
    subject: fillText(mailTexts.resetSubject, language),
    text: fillText(mailTexts.reset, language, { username: toOneLine(to.username), link }),
  }
}

/** The mail about a change of an account, to the address before the change. */
export function createAccountChangeMail(to: MailReceiver, event: string): Mail {
  const language = to.language ?? defaultLanguage
  const change = fillText(mailEventTexts[event] ?? otherEvent, language)
  return {
    to: to.address,
    subject: fillText(mailTexts.changeSubject, language),
    text: fillText(mailTexts.change, language, { username: toOneLine(to.username), event: change }),
  }
}
