import type { register } from '@karvon/contract/accounts/accounts.ts'
import type { BodyOf } from '@karvon/contract/lib/call.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { addressKey } from '../../platform/limits/address-key.ts'
import { audit } from '../../platform/audit/audit.ts'
import { AppError } from '../../platform/http/errors.ts'
import { refuseWeakPassword } from '../../platform/security/password-rules.ts'
import { hashPassword } from '../../platform/security/passwords.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { refuseLookAlike } from '../../platform/security/usernames.ts'
import { maxWaitingAccounts } from './accounts.limits.ts'

/** The built-in role of registered people. Admins decide which sources the role may see. */
const registeredRoleCode = 'user'
// Key of an advisory lock; any number that no other lock uses.
const registrationLockKey = 7_315_015
/** Seconds until a client should retry: admins activate accounts only from time to time. */
const retryAfterSeconds = 3600

/**
 * Creates an inactive account that waits for an admin. A taken username is an error, since the account could never be
 * created. Several people may have the same email, so a known email is no error.
 * Errors: 409 for a taken username, 409 without the role, 429 while too many accounts wait.
 */
export async function registerAccount(db: Db, body: BodyOf<typeof register>, address: string): Promise<void> {
  const { username, name = username, email } = body
  refuseWeakPassword(body.password, username, email)
  // The password is hashed before the username is checked, so that both results take the same time.
  const password_hash = await hashPassword(body.password)
  await inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${registrationLockKey})`.execute(trx)
    await refuseLookAlike(trx, username, { table: 'users', field: 'username', label: 'Username', id: null })
    const network = addressKey(address)
    await refuseTooManyWaiting(trx, network)
    const role = await trx
      .selectFrom('roles')
      .select('id')
      .where('code', '=', registeredRoleCode)
      .executeTakeFirst()
    if (role === undefined) {
      throw new AppError('conflict', 'Nobody can register: the role that they would get is not there.')
    }
    const person = { username, name, email, role_id: role.id, is_active: false, waiting: true }
    const created = await trx
      .insertInto('users')
      .values({ ...person, password_hash, registered_from: network })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (created === undefined) throw usernameTakenError()
    await audit(trx, {
      person: null,
      action: 'create',
      resource: 'users',
      rowId: created.id,
      after: { ...person, password: '…' },
    })
  })
}

async function refuseTooManyWaiting(trx: Db, network: string): Promise<void> {
  // The first three parts of the address: a /24 of IPv4, a /48 of IPv6.
  const prefix = /^(?:[^.:]+[.:]){3}/.exec(network)?.[0] ?? network
  const { all, here, nearby } = await trx
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
  const { total, perAddress, perNeighbourhood } = maxWaitingAccounts
  if (all < total && here < perAddress && nearby < perNeighbourhood) return
  throw new AppError('too_many_requests', 'Too many accounts are waiting to be activated. Try again later.', {
    retryAfter: retryAfterSeconds,
  })
}

function usernameTakenError(): AppError {
  const message = 'Username is already taken.'
  return new AppError('duplicate', message, { errors: [{ field: 'username', message }] })
}
