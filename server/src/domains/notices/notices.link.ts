import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** Signs that nobody takes for one another, on paper or read aloud. */
const signs = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const codeLength = 10

export interface Link {
  chat_id: string | null
  problems: boolean
  delivered: boolean
  digest: boolean
  code: string | null
  code_until: string | null
}

const none: Link = {
  chat_id: null,
  problems: true,
  delivered: true,
  digest: false,
  code: null,
  code_until: null,
}

/** How a person is linked; a code that is over counts as none. */
export async function linkOf(db: Db, userId: number): Promise<Link> {
  const row = await db
    .selectFrom('telegram_links')
    .select(['chat_id', 'problems', 'delivered', 'digest', 'code_until'])
    .select(sql<string | null>`case when code_until > now() then code end`.as('code'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return none
  return { ...row, code_until: row.code === null ? null : row.code_until }
}

/** Gives a person a new code in place of an earlier one. */
export async function giveCode(db: Db, userId: number): Promise<void> {
  const code = Array.from({ length: codeLength }, () => signs[randomInt(signs.length)]).join('')
  const values = { code, code_until: sql<string>`now() + interval '15 minutes'` }
  await db
    .insertInto('telegram_links')
    .values({ user_id: userId, ...values })
    .onConflict((on) => on.column('user_id').doUpdateSet(values))
    .execute()
}

export async function choose(
  db: Db,
  userId: number,
  chosen: { problems?: boolean; delivered?: boolean; digest?: boolean },
): Promise<void> {
  if (Object.keys(chosen).length === 0) return
  await db
    .insertInto('telegram_links')
    .values({ user_id: userId, ...chosen, digest_since: sql<string>`now()` })
    .onConflict((on) => on.column('user_id').doUpdateSet({ ...chosen, digest_since: digestSince(chosen) }))
    .execute()
}

/** Kept for as long as the digest stays on. */
const digestSince = ({ digest }: { digest?: boolean }) =>
  sql<string>`case when ${digest === true}::boolean and not telegram_links.digest then now()
    else telegram_links.digest_since end`

const unlinked = { chat_id: null, code: null, code_until: null, linked_at: null }

/** What a person chose stays for the next time. Tells them by mail and in the chat that is unlinked. */
export async function unlink(db: Db, userId: number): Promise<void> {
  await notifyOfChat(db, userId, 'telegram_unlinked')
  await db.updateTable('telegram_links').set(unlinked).where('user_id', '=', userId).execute()
}

/**
 * Links a chat by a code, which is void from then on; the person's name, or null where the code is not good. Tells the
 * person by mail, and in the chat that was linked before.
 */
export async function linkChat(trx: Db, code: string, chat: string): Promise<string | null> {
  const owner = await trx
    .selectFrom('telegram_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['u.id', 'u.name', 'l.chat_id'])
    .where('u.is_active', '=', true)
    .where('l.code', '=', code.toUpperCase())
    .where('l.code_until', '>', sql<string>`now()`)
    .forUpdate('l')
    .executeTakeFirst()
  if (owner === undefined) return null
  if (owner.chat_id !== chat) await notifyOfChat(trx, owner.id, 'telegram_linked')
  await trx
    .updateTable('telegram_links')
    .set({ chat_id: chat, code: null, code_until: null, linked_at: sql<string>`now()` })
    .where('user_id', '=', owner.id)
    .execute()
  return owner.name
}

/** Queues what the owner is told, before the change: it goes to the chat as it was. */
async function notifyOfChat(db: Db, userId: number, event: 'telegram_linked' | 'telegram_unlinked') {
  await sql`select notify_owner(u.id, ${event}, u.email, l.chat_id)
    from telegram_links l join users u on u.id = l.user_id
    where u.id = ${userId} and (l.chat_id is not null or ${event === 'telegram_linked'}::boolean)`.execute(db)
}

/** Whether anybody was linked to the chat. */
export async function unlinkChat(db: Db, chat: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('telegram_links')
    .set(unlinked)
    .where('chat_id', '=', chat)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
