import type { register } from '@karvon/contract/accounts/accounts.ts'
import type { BodyOf } from '@karvon/contract/lib/call.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { addressKey } from '../../platform/limits/address-key.ts'
import { audit } from '../../platform/audit/audit.ts'
import { AppError } from '../../platform/http/errors.ts'
import { refuseWeakPassword } from '../../platform/security/password-rules.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { refuseLookAlike } from '../../platform/security/usernames.ts'
import { maxWaitingAccounts } from './accounts.limits.ts'
import { insertAccount } from '../auth/auth.accounts.queries.ts'
import { countWaitingAccounts, findRole, lockRegistrations } from './accounts.register.queries.ts'

/** The built-in role of registered people. Admins decide which sources the role may see. */
const registeredRoleCode = 'user'
/** Seconds until a client should retry: admins activate accounts only from time to time. */
const retryAfterSeconds = 3600

/**
 * Creates an inactive account that waits for an admin. A taken username is an error, since the account could never be
 * created. Several people may have the same email, so a known email is no error.
 * Errors: 409 for a taken username, 409 without the role, 429 while too many accounts wait.
 */
export async function registerAccount(
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
  body: BodyOf<typeof register>,
  address: string,
): Promise<void> {
  const { username, name = username, email } = body
  refuseWeakPassword(body.password, username, email)
  // The password is hashed before the username is checked, so that both results take the same time.
  const password_hash = await passwords.hash(body.password)
  await inTransaction(db, async (trx) => {
    await lockRegistrations(trx)
    await refuseLookAlike(trx, username, { table: 'users', field: 'username', label: 'Username', id: null })
    const network = addressKey(address)
    await refuseTooManyWaiting(trx, network)
    const role_id = await findRole(trx, registeredRoleCode)
    if (role_id === null) throw new AppError('registration_role_missing')
    const person = { username, name, email, role_id, is_active: false, waiting: true }
    const rowId = await insertAccount(trx, { ...person, password_hash, registered_from: network })
    if (rowId === null) throw createUsernameExistsError()
    await audit(trx, {
      person: null,
      action: 'create',
      resource: 'users',
      rowId,
      after: { ...person, password: '…' },
    })
  })
}

async function refuseTooManyWaiting(trx: Db, network: string): Promise<void> {
  // The first three parts of the address: a /24 of IPv4, a /48 of IPv6.
  const prefix = /^(?:[^.:]+[.:]){3}/.exec(network)?.[0] ?? network
  const { all, here, nearby } = await countWaitingAccounts(trx, network, prefix)
  const { total, perAddress, perNeighbourhood } = maxWaitingAccounts
  if (all < total && here < perAddress && nearby < perNeighbourhood) return
  throw new AppError('too_many_waiting_accounts', {}, { retryAfter: retryAfterSeconds })
}

const createUsernameExistsError = () =>
  new AppError('already_exists', { label: 'Username' }, { fields: ['username'] })
