import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
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
  code: string | null
  code_until: string | null
}

const noLink: ChatLink = {
  chat_id: null,
  problems: true,
  delivered: true,
  digest: false,
  money: true,
  code: null,
  code_until: null,
}

/** Reads the link of a person. An expired code is null. */
export async function readLink(db: Db, userId: number): Promise<ChatLink> {
  const row = await db
    .selectFrom('telegram_links')
    .select(['chat_id', 'problems', 'delivered', 'digest', 'money', 'code_until'])
    .select(sql<string | null>`case when code_until > now() then code end`.as('code'))
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
    .onConflict((on) => on.column('user_id').doUpdateSet(values))
    .execute()
}

export async function saveNoticeChoices(
  db: Db,
  userId: number,
  choices: { problems?: boolean; delivered?: boolean; digest?: boolean; money?: boolean },
): Promise<void> {
  if (Object.keys(choices).length === 0) return
  await db
    .insertInto('telegram_links')
    .values({ user_id: userId, ...choices, digest_since: sql<string>`now()` })
    .onConflict((on) =>
      on.column('user_id').doUpdateSet({ ...choices, digest_since: digestSinceSql(choices) }),
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
 * Links a chat by a code, which becomes invalid. Answers the person's name; null for an invalid code. Notifies the person
 * by mail and in the chat that was linked before.
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
  if (owner.chat_id !== chat) await notifyOwner(trx, owner.id, 'telegram_linked')
  await trx
    .updateTable('telegram_links')
    .set({ chat_id: chat, code: null, code_until: null, linked_at: sql<string>`now()` })
    .where('user_id', '=', owner.id)
    .execute()
  return owner.name
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
