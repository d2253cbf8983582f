import { personLanguages } from '@karvon/contract/lib/language.ts'
import type { Message } from '@karvon/contract/lib/message.ts'
import { describe, expect, test } from 'vitest'
import {
  alertBeginTexts,
  alertEndTexts,
  alertTexts,
  metricTexts,
  periodTexts,
} from '../domains/alerts/alerts.texts.ts'
import { mailEventTexts, mailTexts } from '../domains/accounts/accounts.mails.texts.ts'
import { botCommands, botTexts, muteWords, statusNames } from '../domains/notices/notices.bot.texts.ts'
import { noticeTexts } from '../domains/notices/notices.texts.ts'
import type { Text } from '../platform/texts/texts.ts'

const texts: readonly (readonly [string, Text])[] = [
  alertBeginTexts,
  alertEndTexts,
  alertTexts,
  metricTexts,
  periodTexts,
  noticeTexts,
  botTexts,
  botCommands,
  muteWords,
  statusNames,
  mailTexts,
  mailEventTexts,
].flatMap((group) => Object.entries<Text>(group))

const listForms = (message: Message): string[] =>
  typeof message === 'string' ? [message] : Object.values(message)
const listParams = (message: Message): string[] =>
  listForms(message).flatMap((form) => [...form.matchAll(/\{(\w+)/g)].map(([, name]) => name ?? ''))

/** Names that are the same in every language. */
const names = /Karvon Express|Karvon|Telegram|email|\boff\b/g
const getWords = (form: string) => form.replace(/\{\w+(?:, number)?\}|\/\w+/g, '').replace(names, '')

describe.each(personLanguages)('the texts that the server sends in %s', (language) => {
  const foreign = language === 'ru' ? /\p{Script=Latin}/u : /\p{Script=Cyrillic}/u

  test(`each text of the server in ${language} is in its script, with the parameters of the other languages`, () => {
    expect(texts.length).toBeGreaterThan(60)
    for (const [id, text] of texts) {
      for (const form of listForms(text[language])) expect(getWords(form), id).not.toMatch(foreign)
      const knownParams = new Set([...listParams(text.ru), ...listParams(text.uz), ...listParams(text.en)])
      // The courier's titles are Russian.
      if (language !== 'ru' && id.startsWith('parcel_')) knownParams.delete('status')
      expect(new Set(listParams(text[language])), id).toEqual(knownParams)
    }
  })

  test(`each text of the server with plural forms has all forms of ${language}`, () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    const incomplete = texts.filter(([, text]) => {
      const message = text[language]
      return (
        typeof message === 'object' && pluralCategories.some((category) => message[category] === undefined)
      )
    })
    expect(incomplete).toEqual([])
  })
})
