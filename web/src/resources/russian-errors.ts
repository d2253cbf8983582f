import { formatMessage, type Message, type MessageParams } from '@karvon/contract/lib/message.ts'
import errors from '../lib/errors.ru.json'
import { getErrorMessage, HttpError } from '../lib/http.ts'
import { language } from '../lib/i18n/language.ts'

const russianErrors = new Map<string, Message>(Object.entries(errors))

/** Names the field as its label on the Russian screens does. */
function translateLabel(params: MessageParams): MessageParams {
  const label = russianErrors.get(`label.${params['label']}`)
  return typeof label === 'string' ? { ...params, label } : params
}

/** The message of an error, in Russian while no language is picked. */
export function getRussianErrorMessage(error: unknown): string {
  const { id, params = {} } = (error instanceof HttpError && error.identified) || {}
  const message = language === '' && id !== undefined ? russianErrors.get(id) : undefined
  return message === undefined ? getErrorMessage(error) : formatMessage(message, translateLabel(params))
}
