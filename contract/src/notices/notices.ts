import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { pageSchema } from '../lib/page.ts'
import { OwnerProof } from '../lib/proof.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, Day, NullableDateTime, NullableText } from '../lib/schemas.ts'

/**
 * A person's own chat with the bot. `bot`: the bot's name without @; null without a bot and without an answer of
 * Telegram. `code`: a message with this code to the bot links the chat, until `code_until`. `problems`, `delivered`,
 * `digest`, `money`, `alerts`: whether the chat gets notices of parcels and files with problems, of delivered parcels, of
 * yesterday's figures, of money (new settlement acts, parcels whose money is missing, and answers to withdrawals), and of alerts. `muted`: whether the chat
 * gets no notices until `muted_until`, except those about the security of the account; null: until they are turned on.
 */
export const TelegramLink = Type.Object({
  available: Type.Boolean(),
  bot: NullableText,
  linked: Type.Boolean(),
  problems: Type.Boolean(),
  delivered: Type.Boolean(),
  digest: Type.Boolean(),
  money: Type.Boolean(),
  alerts: Type.Boolean(),
  muted: Type.Boolean(),
  muted_until: NullableDateTime,
  code: NullableText,
  code_until: NullableDateTime,
})
export type TelegramLink = Static<typeof TelegramLink>

/** How long notices are turned off: until 9 o'clock of the next day for `tomorrow`. `off` turns them on again. */
export const noticeMutes = ['hour', 'tomorrow', 'always', 'off'] as const
export type NoticeMute = (typeof noticeMutes)[number]

const Mute = Type.Union([
  Type.Literal('hour'),
  Type.Literal('tomorrow'),
  Type.Literal('always'),
  Type.Literal('off'),
])

const path = '/parcel/auth/telegram/'

export const getTelegram = call({
  id: 'notices.get',
  summary: 'Read the link to your Telegram chat and the notices that you chose',
  method: 'GET',
  path,
  feature: 'telegram',
  guard: 'person',
  answer: TelegramLink,
})

/** 409 without a bot in the settings; 422 without the current password or a code of the second factor. */
export const linkTelegram = call({
  id: 'notices.link',
  summary:
    'Create a code that links your Telegram chat; it is valid for 15 minutes and replaces an earlier code',
  method: 'POST',
  path,
  feature: 'telegram',
  guard: 'person',
  body: OwnerProof,
  answer: TelegramLink,
})

export const putTelegram = call({
  id: 'notices.choose',
  summary: 'Choose the notices to your Telegram chat, or turn them off for a time',
  method: 'PUT',
  path,
  feature: 'telegram',
  guard: 'person',
  body: Type.Object({
    problems: Type.Optional(Type.Boolean()),
    delivered: Type.Optional(Type.Boolean()),
    digest: Type.Optional(Type.Boolean()),
    money: Type.Optional(Type.Boolean()),
    alerts: Type.Optional(Type.Boolean()),
    mute: Type.Optional(Mute),
  }),
  answer: TelegramLink,
})

export const unlinkTelegram = call({
  id: 'notices.unlink',
  summary: 'Unlink your Telegram chat',
  method: 'DELETE',
  path,
  feature: 'telegram',
  guard: 'person',
  body: OwnerProof,
  answer: TelegramLink,
})

export const noticeKinds = ['problem', 'delivered', 'digest', 'money', 'alert', 'security'] as const
export const noticeStatuses = ['sent', 'queued', 'refused'] as const
const Kind = Type.String({ enum: [...noticeKinds] })
const Status = Type.String({ enum: [...noticeStatuses] })

/** The fields mean the same as those of an upload. */
export const Notice = Type.Object({
  id: Type.Integer(),
  kind: Kind,
  user: Named,
  text: Type.String(),
  status: Status,
  attempts: Type.Integer(),
  last_error: NullableText,
  unsure: Type.Boolean(),
  next_at: NullableDateTime,
  sent_at: NullableDateTime,
  created_at: DateTime,
})
export type Notice = Static<typeof Notice>

/** start_date and end_date are inclusive days of `created_at`. `search` matches the text. */
export const listNotices = call({
  id: 'notices.list',
  summary: 'List the notices to people with their sending status',
  method: 'GET',
  path: '/api/admin/notices/',
  feature: 'telegram_queue',
  guard: 'admin',
  query: listQuery(['id', 'created_at', 'kind', 'status', 'attempts', 'next_at', 'sent_at'], {
    id: Id,
    created_at: DateTime,
    kind: Kind,
    status: Status,
    attempts: Id,
    sent_at: DateTime,
    user_id: Id,
    unsure: Type.Boolean(),
    start_date: Day,
    end_date: Day,
  }),
  answer: pageSchema(Notice),
})

/** 409 if the notice was sent or is being sent. */
export const retryNotice = call({
  id: 'notices.retry',
  summary: 'Send a queued notice now, or retry a refused one',
  method: 'POST',
  path: '/api/admin/notices/:id/retry/',
  feature: 'telegram_queue',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Notice,
})

export const noticeCalls = [getTelegram, linkTelegram, putTelegram, unlinkTelegram, listNotices, retryNotice]
