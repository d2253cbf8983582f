import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '@karvon/contract/auth/second-factor.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { endSessions } from '../../platform/security/identities.ts'
import { serve } from '../../platform/http/serve.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { clearCodeAttempts, countCodeAttempt } from './auth.limits.ts'
import { reauthenticateByPassword, refuseWrongCode } from './auth.reauthenticate.ts'
import { hasRow } from '../../platform/database/rows.ts'
import { readProfile } from './auth.people.queries.ts'
import {
  lockSecondFactor,
  savePendingSecret,
  replaceRecoveryCodes,
  consumeAppCode,
  consumeCode,
  disableSecondFactor,
  enableSecondFactor,
} from './second-factor.queries.ts'
import { buildOtpauthUri } from './second-factor.totp.ts'

/** The calls of a person's own second factor, and the call with which an admin removes a person's second factor. */
export function secondFactorRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, encryption, identities } = deps

  serve(app, beginSecondFactor, async ({ body, person, request }) => {
    await reauthenticateByPassword(deps, request, body.current_password)
    const secret = await inTransaction(db, async (trx) => {
      if (await lockSecondFactor(trx, person.userId)) throw createAlreadyOnError()
      return savePendingSecret(trx, encryption, person.userId)
    })
    return { secret, uri: buildOtpauthUri(secret, person.username) }
  })

  serve(app, confirmSecondFactor, async ({ body, person, request }) => {
    const recovery_codes = await withCodeAttempt(deps, person.userId, async (trx) => {
      if (await lockSecondFactor(trx, person.userId)) throw createAlreadyOnError()
      if (!(await consumeAppCode(trx, encryption, { userId: person.userId, code: body.code })))
        refuseWrongCode(request)
      await enableSecondFactor(trx, person.userId)
      await endSessions(trx, person.userId, person.sessionId)
      await auditSwitch(trx, person, { resource: 'profile', userId: person.userId, isOn: true })
      return replaceRecoveryCodes(trx, person.userId)
    })
    await identities.invalidate()
    return { recovery_codes }
  })

  serve(app, turnOffSecondFactor, async ({ body, person, request }) => {
    if (person.isSecondFactorRequired) throw createMandatoryError()
    await reauthenticateByPassword(deps, request, body.current_password)
    const profile = await withOwnCode(deps, { body, person, request }, async (trx) => {
      await disableSecondFactor(trx, person.userId)
      await endSessions(trx, person.userId, person.sessionId)
      await auditSwitch(trx, person, { resource: 'profile', userId: person.userId, isOn: false })
      return readProfile(trx, person)
    })
    await identities.invalidate()
    return profile
  })

  serve(app, renewRecoveryCodes, async ({ body, person, request }) => {
    await reauthenticateByPassword(deps, request, body.current_password)
    const recovery_codes = await withOwnCode(deps, { body, person, request }, async (trx) => {
      const maskedCodes = { recovery_codes: '…' }
      await audit(trx, {
        person,
        action: 'update',
        resource: 'profile',
        rowId: person.userId,
        before: maskedCodes,
        after: maskedCodes,
      })
      return replaceRecoveryCodes(trx, person.userId)
    })
    return { recovery_codes }
  })

  serve(app, removeSecondFactor, async ({ params, person }) => {
    // The profile asks for the password and a code.
    if (params.id === person.userId) throw new AppError('own_second_factor')
    const isRemoved = await inTransaction(db, async (trx) => {
      if (!(await hasRow(trx, 'users', params.id))) throw notFound('user')
      if (!(await disableSecondFactor(trx, params.id))) return false
      await endSessions(trx, params.id)
      await auditSwitch(trx, person, { resource: 'users', userId: params.id, isOn: false })
      return true
    })
    await identities.invalidate()
    return { removed: isRemoved }
  })
}

/** Runs `work` after the code of the app, or a recovery code, is consumed. */
function withOwnCode<T>(
  deps: Deps,
  { body, person, request }: { body: { code: string }; person: Identity; request: FastifyRequest },
  work: (trx: Db) => Promise<T>,
): Promise<T> {
  return withCodeAttempt(deps, person.userId, async (trx) => {
    if (!(await lockSecondFactor(trx, person.userId))) throw createNotOnError()
    if (!(await consumeCode(trx, deps.encryption, { userId: person.userId, code: body.code })))
      refuseWrongCode(request)
    return work(trx)
  })
}

/** Counts an attempt at a code, and clears the attempts after `work` commits. `work` consumes the code. */
async function withCodeAttempt<T>(
  { db, pool }: Deps,
  userId: number,
  work: (trx: Db) => Promise<T>,
): Promise<T> {
  await countCodeAttempt(pool, userId)
  const result = await inTransaction(db, work)
  await clearCodeAttempts(pool, userId)
  return result
}

const auditSwitch = (
  trx: Db,
  person: Identity,
  { resource, userId, isOn }: { resource: 'profile' | 'users'; userId: number; isOn: boolean },
) =>
  audit(trx, {
    person,
    action: 'update',
    resource,
    rowId: userId,
    before: { second_factor: !isOn },
    after: { second_factor: isOn },
  })

const createAlreadyOnError = () => new AppError('second_factor_already_on')
const createNotOnError = () => new AppError('second_factor_not_on')
const createMandatoryError = () => new AppError('second_factor_mandatory')
