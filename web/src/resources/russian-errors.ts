import { formatMessage, type Message } from '@karvon/contract/lib/message.ts'
import errors from '../lib/errors.ru.json'
import { getErrorMessage, HttpError } from '../lib/http.ts'
import { language } from '../lib/i18n/language.ts'

const russianErrors = new Map<string, Message>(Object.entries(errors))

/** The message of an error, in Russian while no language is picked. */
export function getRussianErrorMessage(error: unknown): string {
  const { id, params } = (error instanceof HttpError && error.identified) || {}
  const message = language === '' && id !== undefined ? russianErrors.get(id) : undefined
  return message === undefined ? getErrorMessage(error) : formatMessage(message, params)
}
