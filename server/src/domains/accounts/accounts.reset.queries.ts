import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'
import { maxResetMailsPerHour, resetLinkMinutes } from './accounts.limits.ts'
import type { MailReceiver } from './accounts.mails.texts.ts'

export async function insertResetRequest(trx: Db, email: string): Promise<void> {
  await trx.insertInto('reset_requests').values({ email }).execute()
}

/** Finds the owner of a link that has not expired. */
export async function findLinkOwner(db: Db, hash: Buffer): Promise<number | undefined> {
  const link = await db
    .selectFrom('reset_links')
    .select('user_id')
    .where('token_hash', '=', hash)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return link?.user_id
}

/** Locks the row of an active person. */
export const lockActivePerson = (trx: Db, userId: number) =>
  trx
    .selectFrom('users')
    .select(['id', 'username', 'email'])
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Creates a mail for each active person with an address that was requested within a day. One statement. */
const queueResetMailsSql = `
  with requested as (
    delete from reset_requests where id in
      (select id from reset_requests order by id limit 500 for update skip locked)
    returning lower(email) as email, created_at
  )
  insert into reset_mails (user_id)
  select u.id from users u
  where u.is_active and lower(u.email) in (select email from requested where created_at > now() - interval '1 day')
    and (select count(*) from reset_mails m
      where m.user_id = u.id and m.created_at > now() - interval '1 hour') < ${maxResetMailsPerHour}`

export async function queueResetMails(pool: pg.Pool): Promise<void> {
  await pool.query(queueResetMailsSql)
}

/** Creates the link, if the mail is still queued and not older than a day. Only the mail contains the token. */
const createResetLinkSql = `
  with mail as (
    select m.user_id, u.username, u.email as address, u.language from reset_mails m join users u on u.id = m.user_id
    where m.id = $1 and m.status = 'queued' and m.created_at > now() - interval '1 day' and u.is_active
    for update of m
  ), link as (
    insert into reset_links (token_hash, user_id, expires_at)
    select $2, user_id, now() + make_interval(mins => ${resetLinkMinutes}) from mail
  )
  select username, address, language from mail`

/** Creates the link of a mail by the hash of its token. Answers its person; undefined if the mail is not needed. */
export async function insertResetLink(
  pool: pg.Pool,
  mailId: number,
  tokenHash: Buffer,
): Promise<MailReceiver | undefined> {
  const { rows } = await pool.query<MailReceiver>(createResetLinkSql, [mailId, tokenHash])
  return rows[0]
}

interface AccountMail extends MailReceiver {
  event: string
}

/** A queued mail about a change of an account; undefined if it is sent or older than a week. */
export async function findAccountMail(pool: pg.Pool, id: number): Promise<AccountMail | undefined> {
  const { rows } = await pool.query<AccountMail>(
    `select u.username, u.language, m.address, m.event from account_mails m join users u on u.id = m.user_id
     where m.id = $1 and m.status = 'queued' and m.created_at > now() - interval '7 days'`,
    [id],
  )
  return rows[0]
}

export async function deleteExpiredLinks(pool: pg.Pool): Promise<void> {
  await pool.query('delete from reset_links where expires_at < now()')
}
