import { personLanguages } from '@karvon/contract/lib/language.ts'
import type { Telegram } from '../../integrations/telegram/telegram.ts'
import { TelegramError } from '../../integrations/telegram/telegram.error.ts'
import type { Deps } from '../../platform/deps.ts'
import { defaultLanguage, fillText, type Text } from '../../platform/texts/texts.ts'
import { botCommands } from './notices.bot.texts.ts'

/** Maximum time of one request, in milliseconds. */
const timeout = 10_000

/**
 * Publishes the menu of commands in each language; Telegram shows it in the language of the app. Answers
 * false if it must be tried again. A server that refuses the menu can still answer commands.
 */
export async function publishCommands(
  telegram: Telegram,
  log: Deps['log'],
  signal: AbortSignal,
): Promise<boolean> {
  try {
    for (const language of [null, ...personLanguages]) {
      const commands = Object.entries(botCommands).map(([command, text]: [string, Text]) => ({
        command,
        description: fillText(text, language ?? defaultLanguage),
      }))
      await telegram.setCommands(language, commands, AbortSignal.any([signal, AbortSignal.timeout(timeout)]))
    }
    return true
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error
    if (!signal.aborted) log.warn({ reason: error.message }, 'Could not publish the commands of the bot')
    return error.failure.kind === 'rejected'
  }
}
