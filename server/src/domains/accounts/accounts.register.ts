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
import { mostWaiting } from './accounts.limits.ts'

/** The built-in role of whoever registers; what it may see, admins decide. */
const roleCode = 'user'
// Any fixed number that nothing else on the database locks.
const lock = 7_315_015
/** Seconds after which it may be worth another try: admins look in once in a while. */
const later = 3600

/**
 * Makes an inactive account that waits for an admin. That a username is taken has to be told, or its owner would wait
 * for good; an email is nobody's secret here, since several people may share one.
 * Errors: 409 taken, 409 without the role, 429 while too many wait.
 */
export async function addWaiting(db: Db, body: BodyOf<typeof register>, address: string): Promise<void> {
  const { username, name = username, email } = body
  refuseWeakPassword(body.password, username, email)
  // Before it is known whether the name is free: both take as long.
  const password_hash = await hashPassword(body.password)
  await inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(trx)
    await refuseLookAlike(trx, username, { table: 'users', field: 'username', label: 'Username', id: null })
    const network = addressKey(address)
    await refuseTooMany(trx, network)
    const role = await trx.selectFrom('roles').select('id').where('code', '=', roleCode).executeTakeFirst()
    if (role === undefined) {
      throw new AppError('conflict', 'Nobody can register: the role that they would get is not there.')
    }
    const person = { username, name, email, role_id: role.id, is_active: false, waiting: true }
    const made = await trx
      .insertInto('users')
      .values({ ...person, password_hash, registered_from: network })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made === undefined) throw taken()
    await audit(trx, null, 'create', 'users', made.id, null, { ...person, password: '…' })
  })
}

async function refuseTooMany(trx: Db, network: string): Promise<void> {
  // Three parts of four: a /24 of IPv4, a /48 of IPv6.
  const near = /^(?:[^.:]+[.:]){3}/.exec(network)?.[0] ?? network
  const { all, here, nearby } = await trx
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .select(({ fn }) => fn.countAll<number>().filterWhere('registered_from', '=', network).as('here'))
    .select((e) =>
      e.fn
        .countAll<number>()
        .filterWhere(e.fn<boolean>('starts_with', ['registered_from', e.val(near)]), '=', true)
        .as('nearby'),
    )
    .where('waiting', '=', true)
    .executeTakeFirstOrThrow()
  const { inAll, fromAddress, fromNeighbours } = mostWaiting
  if (all < inAll && here < fromAddress && nearby < fromNeighbours) return
  throw new AppError('too_many_requests', 'Too many accounts are waiting to be activated. Try again later.', {
    retryAfter: later,
  })
}

function taken(): AppError {
  const message = 'Username is already taken.'
  return new AppError('duplicate', message, { errors: [{ field: 'username', message }] })
}
