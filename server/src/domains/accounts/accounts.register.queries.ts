import { sql } from 'kysely'
import { lockKeys } from '../../platform/database/lock-keys.ts'
import type { Db } from '../../platform/database/pool.ts'

/** Lets only one transaction at a time register an account. */
export async function lockRegistrations(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKeys.registrations})`.execute(trx)
}

/** The id of the role with a code; null if there is none. */
export async function findRole(db: Db, code: string): Promise<number | null> {
  const role = await db.selectFrom('roles').select('id').where('code', '=', code).executeTakeFirst()
  return role?.id ?? null
}

/** Counts the accounts that wait for an admin: all, those of a network, and those of addresses with a prefix. */
export const countWaitingAccounts = (db: Db, network: string, prefix: string) =>
  db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .select(({ fn }) => fn.countAll<number>().filterWhere('registered_from', '=', network).as('here'))
    .select((e) =>
      e.fn
        .countAll<number>()
        .filterWhere(e.fn<boolean>('starts_with', ['registered_from', e.val(prefix)]), '=', true)
        .as('nearby'),
    )
    .where('waiting', '=', true)
    .executeTakeFirstOrThrow()

/** The accounts that have waited for an admin for more than `days`. */
export const findExpiredRegistrations = (db: Db, days: number) =>
  db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('waiting', '=', true)
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${days})`)
    .execute()

/** Deletes an account that waits for an admin; false if it does not wait any more. */
export async function deleteRegistration(trx: Db, id: number): Promise<boolean> {
  const deletion = await trx
    .deleteFrom('users')
    .where('id', '=', id)
    .where('waiting', '=', true)
    .executeTakeFirst()
  return deletion.numDeletedRows === 1n
}
