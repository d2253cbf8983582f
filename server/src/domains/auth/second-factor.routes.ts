import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '@karvon/contract/auth/second-factor.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { endSessions } from '../../platform/security/identities.ts'
import { serve } from '../../platform/http/serve.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { forgetCodeTries, takeCodeTry } from './auth.limits.ts'
import { provePassword, refuseWrongCode } from './auth.proof.ts'
import { profileOf } from './auth.store.ts'
import {
  lockedSecondFactor,
  offerSecret,
  renewRecovery,
  takeAppCode,
  takeCode,
  turnOff,
  turnOn,
} from './second-factor.store.ts'
import { otpauthUri } from './second-factor.totp.ts'

/** One's own second factor, and an admin's way to take somebody's off. */
export function secondFactorRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, seal, identities } = deps

  serve(app, beginSecondFactor, async ({ body, person, request }) => {
    await provePassword(deps, request, body.current_password)
    const secret = await inTransaction(db, async (trx) => {
      if (await lockedSecondFactor(trx, person.userId)) throw isOn()
      return offerSecret(trx, seal, person.userId)
    })
    return { secret, uri: otpauthUri(secret, person.username) }
  })

  serve(app, confirmSecondFactor, async ({ body, person, request }) => {
    const recovery_codes = await withCode(person, async (trx) => {
      if (await lockedSecondFactor(trx, person.userId)) throw isOn()
      if (!(await takeAppCode(trx, seal, person.userId, body.code))) refuseWrongCode(request)
      await turnOn(trx, person.userId)
      await endSessions(trx, person.userId, person.sessionId)
      await switched(trx, person, true)
      return renewRecovery(trx, person.userId)
    })
    await identities.forget()
    return { recovery_codes }
  })

  serve(app, turnOffSecondFactor, async ({ body, person, request }) => {
    if (person.secondFactorRequired) throw isRequired()
    await provePassword(deps, request, body.current_password)
    const profile = await withCode(person, async (trx) => {
      if (!(await lockedSecondFactor(trx, person.userId))) throw isOff()
      if (!(await takeCode(trx, seal, person.userId, body.code))) refuseWrongCode(request)
      await turnOff(trx, person.userId)
      await endSessions(trx, person.userId, person.sessionId)
      await switched(trx, person, false)
      return profileOf(trx, person)
    })
    await identities.forget()
    return profile
  })

  serve(app, renewRecoveryCodes, async ({ body, person, request }) => {
    await provePassword(deps, request, body.current_password)
    const recovery_codes = await withCode(person, async (trx) => {
      if (!(await lockedSecondFactor(trx, person.userId))) throw isOff()
      if (!(await takeCode(trx, seal, person.userId, body.code))) refuseWrongCode(request)
      const masked = { recovery_codes: '…' }
      await audit(trx, person, 'update', 'profile', person.userId, masked, masked)
      return renewRecovery(trx, person.userId)
    })
    return { recovery_codes }
  })

  serve(app, removeSecondFactor, async ({ params, person }) => {
    // There the password and a code are asked for.
    if (params.id === person.userId)
      throw new AppError('conflict', 'Turn your own second factor off in your profile.')
    const removed = await inTransaction(db, async (trx) => {
      const there = await trx.selectFrom('users').select('id').where('id', '=', params.id).executeTakeFirst()
      if (there === undefined) throw notFound('user')
      if (!(await turnOff(trx, params.id))) return false
      await endSessions(trx, params.id)
      await audit(
        trx,
        person,
        'update',
        'users',
        params.id,
        { second_factor: true },
        { second_factor: false },
      )
      return true
    })
    await identities.forget()
    return { removed }
  })

  /** Does what a code allows, in one transaction with taking it; guesses are held back. */
  async function withCode<T>(person: Identity, work: (trx: Db) => Promise<T>): Promise<T> {
    await takeCodeTry(pool, person.userId)
    const done = await inTransaction(db, work)
    await forgetCodeTries(pool, person.userId)
    return done
  }
}

const switched = (trx: Db, person: Identity, on: boolean) =>
  audit(trx, person, 'update', 'profile', person.userId, { second_factor: !on }, { second_factor: on })

const isOn = () => new AppError('conflict', 'The second factor is on already.')

const isOff = () => new AppError('conflict', 'The second factor is not on.')
const isRequired = () =>
  new AppError('conflict', 'Administrators need a second factor here: it cannot be turned off.')
