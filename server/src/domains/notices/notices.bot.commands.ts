import { normalizeApostrophes } from '@karvon/contract/lib/apostrophes.ts'
import { personLanguages, type PersonLanguage } from '@karvon/contract/lib/language.ts'
import { trimText } from '@karvon/contract/lib/trim-text.ts'
import { noticeMutes, type NoticeMute } from '@karvon/contract/notices/notices.ts'
import type { Config } from '../../config.ts'
import type { BotUpdate } from '../../integrations/telegram/telegram.answer.ts'
import type { BotMessage } from '../../integrations/telegram/telegram.ts'
import type { Db } from '../../platform/database/pool.ts'
import { isSecondFactorRequired } from '../../platform/security/required-second-factor.ts'
import { defaultLanguage, fillText, formatLocalDateTime, type Text } from '../../platform/texts/texts.ts'
import {
  answerBalance,
  answerFind,
  answerToday,
  createHelp,
  type CommandSender,
  type BotReader,
} from './notices.bot.answers.ts'
import { findPersonOfChat, muteChat, savePersonLanguage } from './notices.bot.queries.ts'
import { botTexts, languageNames, muteWords } from './notices.bot.texts.ts'
import { linkChat, unlinkChat } from './notices.link.queries.ts'

/** A reply. `read` runs after the transaction of the message, so that a failure does not repeat the message. */
export interface BotReply {
  read(): Promise<BotMessage>
  /** The reply when `read` fails. */
  failed: BotMessage
}

interface Context {
  reader: BotReader
  config: Pick<Config, 'requireSecondFactor'>
}

/** Handles a message of a private chat in its transaction. Only the person who is linked to the chat gets more than help. */
export async function handleMessage(
  trx: Db,
  { chat, text, language: appLanguage }: BotUpdate,
  { reader, config }: Context,
): Promise<BotReply> {
  const message = trimText(text)
  const { command, argument } = parseCommand(message)
  const person = await findPersonOfChat(trx, chat)
  const hint = personLanguages.find(
    (personLanguage) => personLanguage === appLanguage?.slice(0, 2).toLowerCase(),
  )
  const language = person === undefined ? (hint ?? defaultLanguage) : (person.language ?? defaultLanguage)
  const reply = (text: Text, params = {}) => createReply({ text: fillText(text, language, params) })
  const createReply = (message: BotMessage | (() => Promise<BotMessage>)): BotReply => ({
    read: typeof message === 'function' ? message : async () => message,
    failed: { text: fillText(botTexts.failed, language) },
  })

  if (command === 'stop') return reply((await unlinkChat(trx, chat)) ? botTexts.stopped : botTexts.notLinked)
  const code = command === 'start' ? argument : message
  if (/^[a-z\d]{8,16}$/i.test(code)) {
    const link = await linkChat(trx, { code, chat, language: hint ?? null })
    if (link === null) return reply(botTexts.codeInvalid)
    const { name, language } = link
    return createReply({ text: fillText(botTexts.linked, language ?? defaultLanguage, { name }) })
  }
  if (person === undefined) return reply(botTexts.howToLink)
  // As for the calls: an admin without the required second factor may do nothing else.
  if (isSecondFactorRequired(config, person.roleCode) && !person.hasSecondFactor)
    return reply(botTexts.secondFactor)

  const sender: CommandSender = { person, language }
  switch (command) {
    case 'today':
      return createReply(() => answerToday(reader, sender))
    case 'balance':
      return createReply(() => answerBalance(reader, sender))
    case 'find':
      return createReply(() => answerFind(reader, sender, argument))
    case 'mute':
      return createReply(await mute(trx, chat, { language, argument, timeZone: reader.timeZone }))
    case 'language':
      return createReply(await chooseLanguage(trx, person.userId, { language, argument }))
    default:
      return createReply(createHelp(language))
  }
}

/** The command of a message without its bot, and what follows it. A message without a command has an empty one. */
function parseCommand(message: string): { command: string; argument: string } {
  const [, command = '', argument = ''] = /^\/([a-z]+)(?:@\w+)?(?:\s+(.*))?$/is.exec(message) ?? []
  return { command: command.toLowerCase(), argument: trimText(argument) }
}

/** True if a typed word is one of `words`, in upper or lower case and with any apostrophe. */
function matches(typedText: string, words: readonly string[]): boolean {
  const normalize = (word: string) => normalizeApostrophes(word.toLowerCase())
  return words.some((word) => normalize(word) === normalize(typedText))
}

async function mute(
  trx: Db,
  chat: string,
  { language, argument, timeZone }: { language: PersonLanguage; argument: string; timeZone: string },
): Promise<BotMessage> {
  const chosenMute: NoticeMute | undefined = noticeMutes.find((noticeMute) =>
    matches(argument, [noticeMute, ...Object.values(muteWords[noticeMute])]),
  )
  if (chosenMute === undefined) {
    const buttons = noticeMutes.map((noticeMute) => `/mute ${fillText(muteWords[noticeMute], language)}`)
    return { text: fillText(botTexts.muteWhat, language), buttons }
  }
  const until = await muteChat(trx, chat, chosenMute)
  if (chosenMute === 'off') return { text: fillText(botTexts.unmuted, language) }
  if (until === null) return { text: fillText(botTexts.muted, language) }
  const time = formatLocalDateTime(until, language, timeZone)
  return { text: fillText(botTexts.mutedUntil, language, { time }) }
}

async function chooseLanguage(
  trx: Db,
  userId: number,
  { language, argument }: { language: PersonLanguage; argument: string },
): Promise<BotMessage> {
  const chosenLanguage = personLanguages.find((personLanguage) =>
    matches(argument, [personLanguage, languageNames[personLanguage]]),
  )
  if (chosenLanguage === undefined) {
    const buttons = personLanguages.map((personLanguage) => `/language ${languageNames[personLanguage]}`)
    return { text: fillText(botTexts.languageWhat, language), buttons }
  }
  await savePersonLanguage(trx, userId, chosenLanguage)
  return { text: fillText(botTexts.languageSet, chosenLanguage) }
}
