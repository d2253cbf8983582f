import type { MessageParams } from '@karvon/contract/lib/message.ts'
import { getText } from './i18n/language.ts'
import { formatById } from './i18n/messages.ts'

/** A sentence of the server. Another host may answer it without `code`. */
export interface ServerMessage {
  readonly message: string
  readonly code?: string | undefined
  readonly params?: MessageParams | undefined
}

const getLabelText = (text: string) => getText(`label.${text}`, text)
const getNounText = (text: string) => getText(`noun.${text}`, text)

/** Parameters that are English words of the contract. All others are shown unchanged. */
const translateParam: Readonly<Record<string, (text: string) => string>> = {
  label: getLabelText,
  first: getLabelText,
  second: getLabelText,
  field: getLabelText,
  noun: getNounText,
  tasks: getNounText,
  what: getNounText,
}

/** The uses of a row that cannot be deleted: a number for each table that refers to it. */
function describeUses({ uses = '', ...counts }: MessageParams): string {
  const texts = Object.entries(counts).map(([table, count]) => formatById(`uses.${table}`, { count }, ''))
  return texts.length === 0 || texts.includes('') ? getNounText(String(uses)) : texts.join(', ')
}

function translateParams(code: string, params: MessageParams): MessageParams {
  if (code === 'in_use') return { uses: describeUses(params) }
  const entries = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? (translateParam[name]?.(value) ?? value) : value,
  ])
  return Object.fromEntries(entries) as MessageParams
}

const idPrefix = 'error.'

/** The id of a message of the server in the catalogues. */
export const getServerMessageId = (code: string): string => `${idPrefix}${code}`

/** The code of a message's id. Undefined for a message of the web. */
export const getServerMessageCode = (id: string): string | undefined =>
  id.startsWith(idPrefix) ? id.slice(idPrefix.length) : undefined

/** A sentence of the server in the picked language. Unchanged for the mix and for an unknown code. */
export const translateServerMessage = ({ message, code, params = {} }: ServerMessage): string =>
  code === undefined ? message : formatById(getServerMessageId(code), translateParams(code, params), message)
