import type { Config } from './config.ts'
import type { TelegramSettings as Telegram } from './config.telegram.ts'

// What an installation can send by its settings. Jobs that send start by these conditions, and metrics and settings show them.

type Mail = Config['mail']

export const hasBot = <T extends Pick<Telegram, 'token'>>(telegram: T): telegram is T & { token: string } =>
  telegram.token !== undefined

/** Whether uploaded files are sent to a chat. */
export const hasUploadChat = (telegram: Telegram): telegram is Telegram & { token: string; chat: string } =>
  hasBot(telegram) && telegram.chat !== undefined

export const hasMailServer = (mail: Mail): mail is { [Name in keyof Mail]: NonNullable<Mail[Name]> } =>
  mail.smtpUrl !== undefined && mail.from !== undefined

export const hasResetMails = ({ mail, passwordReset }: Pick<Config, 'mail' | 'passwordReset'>): boolean =>
  hasMailServer(mail) && passwordReset === 'live'

/** Whether scheduled views are sent on any channel. */
export const hasViewMessages = ({ telegram, mail }: Pick<Config, 'telegram' | 'mail'>): boolean =>
  hasBot(telegram) || hasMailServer(mail)
