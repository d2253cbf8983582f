import {
  formatMessage,
  type Message,
  type MessageParams,
  type ParamsOf,
} from '@karvon/contract/lib/message.ts'
import { formatNumber } from '../format/number.format.ts'
import { findMessage, language } from './language.ts'

interface MessageTree {
  readonly [key: string]: Message | MessageTree
}

/** A text without parameters, or a function of a message's named parameters. */
type MessageText<M extends Message> = keyof ParamsOf<M> extends never
  ? string
  : (params: ParamsOf<M>) => string

type Texts<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends Message ? MessageText<Tree[Key]> : Texts<Tree[Key]>
}

const createFormat = (locale: string) => ({
  plural: new Intl.PluralRules(locale),
  formatNumber: (value: number) => formatNumber(value),
})
const formats = { ru: createFormat('ru'), en: createFormat('en'), picked: createFormat(language || 'en') }

const isMessage = (value: Message | MessageTree): value is Message =>
  typeof value === 'string' || typeof value['other'] === 'string'

/** Only Russian has a form for few. */
const getMixFormat = (message: Message) =>
  typeof message === 'object' && message.few !== undefined ? formats.ru : formats.en

function createText(id: string, mixMessage: Message): unknown {
  const translation = findMessage(id)
  const message = translation ?? mixMessage
  if (typeof mixMessage === 'string' && !/\{\w+(?:, number)?\}/.test(mixMessage)) return message
  const format = translation === undefined ? getMixFormat(mixMessage) : formats.picked
  return (params: ParamsOf<Message>) => formatMessage(message, params, format)
}

/**
 * Declares the texts of one part of the product, in the specification's mix of languages. The id of a message
 * is its path: `id`, then the keys, joined by dots. The catalogue of a picked language has the same ids. A
 * text with parameters becomes a function of an object: `texts.found({ count: 3 })`.
 */
export function defineMessages<const Tree extends MessageTree>(id: string, tree: Tree): Texts<Tree>
export function defineMessages(id: string, tree: MessageTree): unknown {
  const entries = Object.entries(tree).map(([key, value]): [string, unknown] => {
    const path = `${id}.${key}`
    return [key, isMessage(value) ? createText(path, value) : defineMessages(path, value)]
  })
  return Object.fromEntries<unknown>(entries)
}

/** A text that is chosen by a code at run time, with its parameters where it has any. */
export const fillText = (text: string | ((params: never) => string), params: MessageParams): string =>
  typeof text === 'string' ? text : (text as (params: MessageParams) => string)(params)

/** {@link formatMessage} for a message of the catalogue; `text` where the catalogue has none. */
export function formatById(id: string, params: MessageParams, text: string): string {
  const message = findMessage(id)
  return message === undefined ? text : formatMessage(message, params, formats.picked)
}
