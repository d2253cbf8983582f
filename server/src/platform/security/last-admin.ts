import { adminCode } from '@karvon/contract/auth/auth.ts'
import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'
import { AppError } from '../http/errors.ts'
import { lockKeys } from '../database/lock-keys.ts'

/** Lets only one transaction at a time make changes that may remove an admin. Call this before any row lock. */
export async function lockAdmins(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKeys.admins})`.execute(trx)
}

/** Call this after the change, under {@link lockAdmins}. Errors: 409 `last_admin` when no active admin is left. */
export async function refuseWithoutAdmin(trx: Db): Promise<void> {
  const admin = await trx
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select('users.id')
    .where('roles.code', '=', adminCode)
    .where('users.is_active', '=', true)
    .limit(1)
    .executeTakeFirst()
  if (admin === undefined) throw new AppError('last_admin')
}
