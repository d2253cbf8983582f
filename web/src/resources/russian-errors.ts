import { formatMessage, type Message, type MessageParams } from '@karvon/contract/lib/message.ts'
import errors from '../lib/errors.ru.json'
import { getErrorMessage, HttpError } from '../lib/http.ts'
import { language } from '../lib/i18n/language.ts'
import { getServerMessageId, translateServerMessage, type ServerMessage } from '../lib/server-messages.ts'

const russianErrors = new Map<string, Message>(Object.entries(errors))

/** Names the field as its label on the Russian screens does. */
function translateLabel(params: MessageParams): MessageParams {
  const label = russianErrors.get(`label.${params['label']}`)
  return typeof label === 'string' ? { ...params, label } : params
}

/** A message of the server in Russian while no language is picked; undefined in a picked language and without an id that has one. */
function formatInRussian(id: string | undefined, params: MessageParams): string | undefined {
  const message = language === '' && id !== undefined ? russianErrors.get(id) : undefined
  return message === undefined ? undefined : formatMessage(message, translateLabel(params))
}

/** A sentence of the server, in Russian while no language is picked. Unchanged without a known code. */
export function translateToRussian(sentence: ServerMessage): string {
  const { code, params = {} } = sentence
  const id = code === undefined ? undefined : getServerMessageId(code)
  return formatInRussian(id, params) ?? translateServerMessage(sentence)
}

/** The message of an error, in Russian while no language is picked. */
export function getRussianErrorMessage(error: unknown): string {
  const { id, params = {} } = (error instanceof HttpError && error.identified) || {}
  return formatInRussian(id, params) ?? getErrorMessage(error)
}
