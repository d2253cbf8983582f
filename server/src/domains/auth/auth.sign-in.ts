import type { login } from '@karvon/contract/auth/auth.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { CallContext } from '../../platform/http/serve.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { SecurityEvent } from '../../platform/security/security-log.ts'
import { normalizeUsername } from '../../platform/security/usernames.ts'
import { findKnownDevice, rememberDevice } from './auth.devices.queries.ts'
import {
  clearCodeAttempts,
  clearSignInAttempts,
  countCodeAttempt,
  countSignInAttempt,
  refundSignInAttempt,
  type SignInAttempt,
} from './auth.limits.ts'
import { findPersonByUsername, toPerson, type PersonRow } from './auth.people.queries.ts'
import { startSession, type SessionClient } from './auth.sessions.queries.ts'
import { lockSecondFactor, consumeCode } from './second-factor.queries.ts'

interface SignIn {
  person: PersonRow
  /** '' without a code. */
  code: string
  client: SessionClient
  attempt: SignInAttempt
}

/**
 * Signs a person in by name, password and, with a second factor, a code. The security log contains each outcome.
 * Errors: 401 `wrong_credentials` for a wrong name, a wrong password and an inactive account; 401
 * `second_factor_required` and `second_factor_wrong`; 429.
 */
export async function signInWithPassword(deps: Deps, { body, request }: CallContext<typeof login>) {
  const { db, pool, passwords } = deps
  const username = body.username.trim()
  const person = await findPersonByUsername(db, normalizeUsername(username))
  const log = (event: SecurityEvent) =>
    request.server.securityLog.write(event, request.ip, { user_id: person?.id ?? null })
  /** Logs a refusal. Any other error, such as an unavailable database, says nothing about the sign-in. */
  const logRefusal = (event: SecurityEvent) => (error: unknown) => {
    if (error instanceof AppError) log(error.code === 'second_factor_required' ? error.code : event)
    throw error
  }
  const device = await findKnownDevice(pool, person?.id ?? null, body.device)
  const attempt = { username, address: request.ip, device }
  await countSignInAttempt(pool, attempt).catch(logRefusal('sign_in_locked_out'))
  // An inactive account is handled like an unknown one, so that both answers take the same time.
  const activePerson = person?.is_active === true ? person : undefined
  const isCorrect = await passwords.verify(body.password, activePerson?.password_hash ?? null)
  const client = { address: request.ip, userAgent: request.headers['user-agent'] }
  const token =
    isCorrect && activePerson
      ? await completeSignIn(deps, { person: activePerson, code: body.code ?? '', client, attempt }).catch(
          logRefusal('second_factor_failed'),
        )
      : null
  if (token === null || activePerson === undefined) {
    log('sign_in_failed')
    throw new AppError('wrong_credentials')
  }
  log('sign_in')
  await clearSignInAttempts(pool, attempt)
  await deps.readReplica?.storePosition(activePerson.id, false)
  const deviceSecret = await rememberDevice(pool, {
    userId: activePerson.id,
    knownHash: device,
    device: body.device,
  })
  return { access_token: token, token_type: 'bearer', device: deviceSecret, ...toPerson(activePerson) }
}

/**
 * Completes the sign-in of an active person after a correct password, and answers the token of the new session; null as
 * in {@link startSession}. A person with a second factor needs its code.
 * Errors: 401 `second_factor_required` and `second_factor_wrong`, 429.
 */
async function completeSignIn(deps: Deps, { person, code, client, attempt }: SignIn): Promise<string | null> {
  const { db, pool, config } = deps
  const days = config.session.absoluteDays
  if (!person.second_factor) return startSession(db, person, { days, client, hasSecondFactorCode: false })
  if (code === '') {
    await refundSignInAttempt(pool, attempt)
    throw new AppError('second_factor_required')
  }
  await countCodeAttempt(pool, person.id)
  const token = await startSessionWithCode(deps, { person, code, client })
  await clearCodeAttempts(pool, person.id)
  return token
}

/** Consumes the code and starts the session in one transaction. Errors: 401 `second_factor_wrong`. */
export const startSessionWithCode = (
  { db, encryption, config }: Deps,
  { person, code, client }: Omit<SignIn, 'attempt'>,
): Promise<string | null> =>
  inTransaction(db, async (trx) => {
    const isOn = await lockSecondFactor(trx, person.id)
    if (!isOn || !(await consumeCode(trx, encryption, { userId: person.id, code }))) {
      throw new AppError('second_factor_wrong')
    }
    const days = config.session.absoluteDays
    return startSession(trx, person, { days, client, hasSecondFactorCode: true })
  })
