import type { EnvironmentReader } from './config.reader.ts'

/** The bot that sends files and notices. */
export interface TelegramSettings {
  token: string | undefined
  chat: string | undefined
  root: string
  /** Rate limit of messages to a chat, as Telegram requires it. Not set by the environment. Null: no limit. */
  rate: { interval: number; perMinute: number } | null
  /** Milliseconds for an answer of the Bot API, without the transfer of a file. */
  answerWithin: number
}

export const readTelegramSettings = (reader: EnvironmentReader): TelegramSettings => ({
  token: reader.readMatching('KARVON_TELEGRAM_TOKEN', {
    pattern: /^[\w:-]+$/,
    description: 'the token that BotFather gave, such as 123456:ABC-def',
  }),
  chat: reader.readMatching('KARVON_TELEGRAM_CHAT', {
    pattern: /^(-?\d+|@\w+)$/,
    description: 'a chat id such as -1001234567890, or @channel',
  }),
  root: reader.readHttpUrl('KARVON_TELEGRAM_ROOT') ?? 'https://api.telegram.org',
  rate: { interval: 1000, perMinute: 20 },
  answerWithin: 15_000,
})
