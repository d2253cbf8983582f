import { adminCode } from '@karvon/contract/auth/auth.ts'
import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import type { NoticeMute } from '@karvon/contract/notices/notices.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { BotPerson } from './notices.bot.answers.ts'
import { mutedUntilSql } from './notices.link.queries.ts'

/** The number of the next update to ask Telegram for. */
export async function readNextUpdate(db: Db, bot: string): Promise<number> {
  const row = await db
    .selectFrom('telegram_bots')
    .select('next_update')
    .where('bot', '=', bot)
    .executeTakeFirst()
  return row?.next_update ?? 0
}

export async function saveNextUpdate(db: Db, bot: string, next_update: number): Promise<void> {
  await db
    .insertInto('telegram_bots')
    .values({ bot, next_update })
    .onConflict((conflict) => conflict.column('bot').doUpdateSet({ next_update }))
    .execute()
}

interface LinkedPerson extends BotPerson {
  language: PersonLanguage | null
  roleCode: string
  hasSecondFactor: boolean
}

/** The active person of a chat. If several people linked the chat, the one who linked it last. */
export async function findPersonOfChat(db: Db, chat: string): Promise<LinkedPerson | undefined> {
  const row = await db
    .selectFrom('telegram_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .innerJoin('roles as r', 'r.id', 'u.role_id')
    .select(['u.id', 'u.role_id', 'u.language', 'u.second_factor', 'r.code'])
    .where('l.chat_id', '=', chat)
    .where('u.is_active', '=', true)
    .orderBy(sql`l.linked_at desc nulls last`)
    .orderBy('u.id')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    userId: row.id,
    roleId: row.role_id,
    isAdmin: row.code === adminCode,
    roleCode: row.code,
    language: row.language,
    hasSecondFactor: row.second_factor,
  }
}

/** Turns the notices of a chat off for a time, or on. Answers the end of that time; null without an end, and if they are on. */
export async function muteChat(db: Db, chat: string, mute: NoticeMute): Promise<string | null> {
  const row = await db
    .updateTable('telegram_links')
    .set({ muted_until: mutedUntilSql[mute] })
    .where('chat_id', '=', chat)
    .returning(sql<string | null>`case when isfinite(muted_until) then muted_until end`.as('until'))
    .executeTakeFirst()
  return row?.until ?? null
}

export async function savePersonLanguage(db: Db, userId: number, language: PersonLanguage): Promise<void> {
  await db.updateTable('users').set({ language }).where('id', '=', userId).execute()
}
