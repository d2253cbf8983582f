import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { forgotPassword, register, resetPassword } from '@karvon/contract/accounts/accounts.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { AppError, invalid } from '../../platform/http/errors.ts'
import { pickFields } from '../../platform/http/pick-fields.ts'
import { refuseWeakPassword } from '../../platform/security/password-rules.ts'
import { serve } from '../../platform/http/serve.ts'
import { clearAllAttempts } from '../auth/auth.limits.ts'
import {
  refundResetLinkAttempt,
  countResetRequest,
  countResetLinkAttempt,
  countRegistrationAttempt,
} from './accounts.limits.ts'
import { registerAccount } from './accounts.register.ts'
import { saveResetRequest, resetPasswordByLink } from './accounts.reset.ts'

/** The calls for people without a session. The settings enable each of them. */
export function accountsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config, identities } = deps

  serve(app, register, {
    prepare: preparePerson,
    handler: async ({ body, request }) => {
      if (config.registration !== 'live') throw createSwitchedOffError('registrations')
      await countRegistrationAttempt(pool, request.ip)
      await registerAccount(deps, body, request.ip)
      return { registered: true }
    },
  })

  serve(app, forgotPassword, {
    prepare: preparePerson,
    handler: async ({ body, request }) => {
      if (config.passwordReset !== 'live') throw createSwitchedOffError('password resets')
      await countResetRequest(pool, body.email, request.ip)
      await saveResetRequest(db, body.email)
      return { accepted: true }
    },
  })

  serve(app, resetPassword, async ({ body, request }) => {
    if (config.passwordReset !== 'live') throw createSwitchedOffError('password resets')
    await countResetLinkAttempt(pool, request.ip)
    refuseWeakPassword(body.password)
    const owner = await resetPasswordByLink(deps, body.token, body.password)
    if (owner === null) {
      throw invalid([fieldError('token', 'reset_link_invalid')])
    }
    await identities.invalidate()
    await refundResetLinkAttempt(pool, request.ip)
    await clearAllAttempts(db, owner.id, owner.username)
    return { changed: true }
  })
}

const createSwitchedOffError = (what: string) => new AppError('switched_off', { what })

/** Trims all texts except the password. Removes an empty name, but not one of invisible characters, which is refused. */
function preparePerson(body: Record<string, unknown>): Record<string, unknown> {
  const fields = pickFields(body, { trimmed: ['username', 'name', 'email'], kept: ['password'] })
  const { name } = body
  if (name === null || (typeof name === 'string' && name.trim() === '')) delete fields['name']
  return fields
}
