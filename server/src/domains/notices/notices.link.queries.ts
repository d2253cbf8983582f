import { randomInt } from 'node:crypto'
import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import type { NoticeMute } from '@karvon/contract/notices/notices.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** Characters that are not confused with each other, on paper or when read aloud. */
const codeAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const codeLength = 10

export interface ChatLink {
  chat_id: string | null
  problems: boolean
  delivered: boolean
  digest: boolean
  money: boolean
  alerts: boolean
  muted: boolean
  muted_until: string | null
  code: string | null
  code_until: string | null
}

const noLink: ChatLink = {
  chat_id: null,
  problems: true,
  delivered: true,
  digest: false,
  money: true,
  alerts: true,
  muted: false,
  muted_until: null,
  code: null,
  code_until: null,
}

/** The end of each time for which notices are turned off. */
export const mutedUntilSql: Readonly<Record<NoticeMute, RawBuilder<string | null>>> = {
  hour: sql`now() + interval '1 hour'`,
  tomorrow: sql`(current_date + 1 + time '09:00')::timestamptz`,
  always: sql`'infinity'::timestamptz`,
  off: sql`null`,
}

/** Reads the link of a person. An expired code is null. `muted_until` is null when the mute has no end. */
export async function readLink(db: Db, userId: number): Promise<ChatLink> {
  const row = await db
    .selectFrom('telegram_links')
    .select(['chat_id', 'problems', 'delivered', 'digest', 'money', 'alerts', 'code_until'])
    .select(sql<string | null>`case when code_until > now() then code end`.as('code'))
    .select(sql<boolean>`coalesce(muted_until > now(), false)`.as('muted'))
    .select(
      sql<string | null>`case when muted_until > now() and isfinite(muted_until) then muted_until end`.as(
        'muted_until',
      ),
    )
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return noLink
  return { ...row, code_until: row.code === null ? null : row.code_until }
}

/** Creates a new code of a person and replaces an earlier one. */
export async function createLinkCode(db: Db, userId: number): Promise<void> {
  const code = Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('')
  const values = { code, code_until: sql<string>`now() + interval '15 minutes'` }
  await db
    .insertInto('telegram_links')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

interface NoticeChoices {
  problems?: boolean
  delivered?: boolean
  digest?: boolean
  money?: boolean
  alerts?: boolean
  mute?: NoticeMute
}

export async function saveNoticeChoices(
  db: Db,
  userId: number,
  { mute, ...kinds }: NoticeChoices,
): Promise<void> {
  const choices = { ...kinds, ...(mute !== undefined && { muted_until: mutedUntilSql[mute] }) }
  if (Object.keys(choices).length === 0) return
  await db
    .insertInto('telegram_links')
    .values({ user_id: userId, ...choices, digest_since: sql<string>`now()` })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ ...choices, digest_since: digestSinceSql(kinds) }),
    )
    .execute()
}

/** The time when the digest was turned on. It does not change while the digest stays on. */
const digestSinceSql = ({ digest }: { digest?: boolean }) =>
  sql<string>`case when ${digest === true}::boolean and not telegram_links.digest then now()
    else telegram_links.digest_since end`

const unlinkedValues = { chat_id: null, code: null, code_until: null, linked_at: null }

/** Unlinks a person's chat. The person's choices stay. Notifies the person by mail and in the unlinked chat. */
export async function unlinkPerson(db: Db, userId: number): Promise<void> {
  await notifyOwner(db, userId, 'telegram_unlinked')
  await db.updateTable('telegram_links').set(unlinkedValues).where('user_id', '=', userId).execute()
}

/**
 * Links a chat by a code, which becomes invalid. Answers the person; null for an invalid code. Notifies the person by mail
 * and in the chat that was linked before. A person without a language gets `language`, that of the Telegram app.
 */
export async function linkChat(
  trx: Db,
  { code, chat, language }: { code: string; chat: string; language: PersonLanguage | null },
): Promise<{ name: string; language: PersonLanguage | null } | null> {
  const owner = await trx
    .selectFrom('telegram_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['u.id', 'u.name', 'u.language', 'l.chat_id'])
    .where('u.is_active', '=', true)
    .where('l.code', '=', code.toUpperCase())
    .where('l.code_until', '>', sql<string>`now()`)
    .forUpdate('l')
    .executeTakeFirst()
  if (owner === undefined) return null
  if (owner.chat_id !== chat) await notifyOwner(trx, owner.id, 'telegram_linked')
  await trx
    .updateTable('telegram_links')
    .set({ chat_id: chat, code: null, code_until: null, muted_until: null, linked_at: sql<string>`now()` })
    .where('user_id', '=', owner.id)
    .execute()
  if (owner.language === null && language !== null)
    await trx.updateTable('users').set({ language }).where('id', '=', owner.id).execute()
  return { name: owner.name, language: owner.language ?? language }
}

/** Queues the notification of the owner. Call this before the change, so that the old chat gets the notification. */
async function notifyOwner(db: Db, userId: number, event: 'telegram_linked' | 'telegram_unlinked') {
  await sql`select notify_owner(u.id, ${event}, u.email, l.chat_id)
    from telegram_links l join users u on u.id = l.user_id
    where u.id = ${userId} and (l.chat_id is not null or ${event === 'telegram_linked'}::boolean)`.execute(db)
}

/** Unlinks a chat from all people. Answers whether anybody was linked to it. */
export async function unlinkChat(db: Db, chat: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('telegram_links')
    .set(unlinkedValues)
    .where('chat_id', '=', chat)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
