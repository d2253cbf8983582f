import { Type, type Static } from 'typebox'
import { call } from '../kit/call.ts'

const text = Type.Union([Type.String(), Type.Null()])
const maybeTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

/**
 * A person's own chat with the bot. `bot`: its name without the @; null where none is set up or Telegram does not answer.
 * `code`: to be sent to the bot until `code_until`, which links the chat. `parcels`, `digest`: what is told there.
 */
export const TelegramLink = Type.Object({
  available: Type.Boolean(),
  bot: text,
  linked: Type.Boolean(),
  parcels: Type.Boolean(),
  digest: Type.Boolean(),
  code: text,
  code_until: maybeTime,
})
export type TelegramLink = Static<typeof TelegramLink>

const path = '/parcel/auth/telegram/'

export const getTelegram = call({
  id: 'notices.get',
  summary: 'Whether notices come to your Telegram, and which',
  method: 'GET',
  path,
  guard: 'person',
  answer: TelegramLink,
})

/** 409 where no bot is set up. */
export const linkTelegram = call({
  id: 'notices.link',
  summary: 'Make a code that links your Telegram, good for 15 minutes; an earlier one is void',
  method: 'POST',
  path,
  guard: 'person',
  answer: TelegramLink,
})

export const putTelegram = call({
  id: 'notices.choose',
  summary: 'Choose which notices come to your Telegram',
  method: 'PUT',
  path,
  guard: 'person',
  body: Type.Object({ parcels: Type.Optional(Type.Boolean()), digest: Type.Optional(Type.Boolean()) }),
  answer: TelegramLink,
})

export const unlinkTelegram = call({
  id: 'notices.unlink',
  summary: 'Unlink your Telegram',
  method: 'DELETE',
  path,
  guard: 'person',
  answer: TelegramLink,
})

export const noticeCalls = [getTelegram, linkTelegram, putTelegram, unlinkTelegram]
