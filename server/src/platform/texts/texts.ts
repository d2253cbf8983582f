import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import {
  formatMessage,
  type Message,
  type MessageFormat,
  type MessageParams,
} from '@karvon/contract/lib/message.ts'

/** A text that the server sends, in each language. */
export type Text = Readonly<Record<PersonLanguage, Message>>

/** The language of people who have not chosen one, and of the office's chat. */
export const defaultLanguage: PersonLanguage = 'ru'

// As in the web: Uzbek numbers are written like Russian ones, and English dates begin with the day.
const locales: Readonly<Record<PersonLanguage, string>> = { ru: 'ru-RU', uz: 'ru-RU', en: 'en-GB' }

/** Fills a text in a language. Plural forms follow the parameter `count`. */
export function fillText(text: Text, language: PersonLanguage, params: MessageParams = {}): string {
  const format: MessageFormat = {
    plural: new Intl.PluralRules(language),
    formatNumber: (value) => new Intl.NumberFormat(locales[language]).format(value),
  }
  return formatMessage(text[language], params, format)
}

/** Replaces line breaks and other control characters of a name, which would change the lines of a message. */
export const toLine = (name: string): string =>
  name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').toWellFormed()

/** Formats a decimal text with groups of thousands: "1 234 567,50", "1 234". */
export function formatLocalAmount(amount: string, language: PersonLanguage): string {
  const format = new Intl.NumberFormat(locales[language], {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    trailingZeroDisplay: 'stripIfInteger',
  })
  // A decimal text is formatted exactly. A number would lose digits.
  return format.format(amount as Intl.StringNumericLiteral)
}

/** Formats a percentage with one decimal, as on the screen: "44,2%". */
export const formatLocalPercent = (percent: number, language: PersonLanguage): string =>
  `${new Intl.NumberFormat(locales[language], { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(percent)}%`

/** Formats a day yyyy-mm-dd: "24.11.2026", in English "24/11/2026". */
export const formatLocalDay = (day: string, language: PersonLanguage): string =>
  formatInZone(day, { language, timeZone: 'UTC', options: dayOptions })

/** Formats a time with its day in a time zone: "24.11.2026, 09:05". */
export const formatLocalDateTime = (time: string, language: PersonLanguage, timeZone: string): string =>
  formatInZone(time, { language, timeZone, options: { ...dayOptions, ...timeOptions } })

/** Formats a time of the day in a time zone: "09:05". */
export const formatLocalTime = (time: string, language: PersonLanguage, timeZone: string): string =>
  formatInZone(time, { language, timeZone, options: timeOptions })

const dayOptions = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
const timeOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

function formatInZone(
  time: string,
  {
    language,
    timeZone,
    options,
  }: { language: PersonLanguage; timeZone: string; options: Intl.DateTimeFormatOptions },
): string {
  return new Intl.DateTimeFormat(locales[language], { ...options, timeZone }).format(new Date(time))
}
