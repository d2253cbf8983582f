import { adminCode } from '@karvon/contract/auth/auth.ts'
import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'
import { AppError } from '../http/errors.ts'

// Any fixed number that nothing else on the database locks.
const lock = 7_315_010

/**
 * Takes the lock under which whoever may take away an admin works, one transaction at a time. Take it before
 * any row is locked.
 */
export async function lockAdmins(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lock})`.execute(trx)
}

/** After the change, under {@link lockAdmins}. Errors: 409 `last_admin` where nobody active runs the desk any more. */
export async function refuseWithoutAdmin(trx: Db): Promise<void> {
  const admin = await trx
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select('users.id')
    .where('roles.code', '=', adminCode)
    .where('users.is_active', '=', true)
    .limit(1)
    .executeTakeFirst()
  if (admin === undefined) throw new AppError('last_admin', 'The last active administrator must stay one.')
}
