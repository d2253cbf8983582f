import { adminCode } from '@karvon/contract/auth/auth.ts'
import { sql, type Insertable } from 'kysely'
import { nextUpdatedAt } from '../../platform/database/conflict.ts'
import { lockKeys } from '../../platform/database/lock-keys.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Tables } from '../../platform/database/tables.ts'

type NewAccount = Insertable<Tables['users']>

/** Lets only one transaction at a time create the first admin. */
export async function lockFirstAdmin(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKeys.firstAdmin})`.execute(trx)
}

export async function hasAnyUser(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** The id of the role of administrators. */
export async function findAdminRole(db: Db): Promise<number> {
  const role = await db
    .selectFrom('roles')
    .select('id')
    .where('code', '=', adminCode)
    .executeTakeFirstOrThrow()
  return role.id
}

/** Inserts the first admin. A taken username is an error of the database. */
export async function insertFirstAdmin(trx: Db, account: NewAccount): Promise<void> {
  await trx.insertInto('users').values(account).execute()
}

/** Inserts an account and answers its id; null if the username is taken. */
export async function insertAccount(trx: Db, account: NewAccount): Promise<number | null> {
  const createdAccount = await trx
    .insertInto('users')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return createdAccount?.id ?? null
}

/** Answers whether the person still exists. */
export async function updatePassword(trx: Db, userId: number, password_hash: string): Promise<boolean> {
  const person = await trx
    .updateTable('users')
    .set({ password_hash, updated_at: nextUpdatedAt })
    .where('id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return person !== undefined
}
