import type { MessageParams } from '@karvon/contract/lib/message.ts'
import { defineMessages, fillText } from './i18n/messages.ts'

/** Failures of a call without a message of the server. */
export const httpTexts = defineMessages('http', {
  timeout: 'The server did not answer within {seconds} seconds.',
  unreachable: 'The server cannot be reached.',
  silent: 'The server sent nothing for {seconds} seconds.',
  notOffered: 'This server does not offer this.',
  noFile: 'This server does not offer this file.',
  unexpected: 'The server gave an unexpected answer.',
  status: 'Request failed with status code {status}',
})

/** A message with its id, so that a Russian screen can show it in Russian. */
export interface IdentifiedMessage {
  readonly id: string
  readonly params: MessageParams
  /** In the picked language; in English for the mix. */
  readonly text: string
}

export function describeHttpFailure(
  code: keyof typeof httpTexts,
  params: MessageParams = {},
): IdentifiedMessage {
  return { id: `http.${code}`, params, text: fillText(httpTexts[code], params) }
}
