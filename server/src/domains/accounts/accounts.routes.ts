import { forgotPassword, register, resetPassword } from '@karvon/contract/accounts/accounts.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, invalid } from '../../platform/http/errors.ts'
import { refuseWeakPassword } from '../../platform/security/password-rules.ts'
import { serve } from '../../platform/http/serve.ts'
import { giveLinkTryBack, takeAsked, takeLinkTry, takeRegistration } from './accounts.limits.ts'
import { addWaiting } from './accounts.register.ts'
import { noteAsked, useLink } from './accounts.reset.ts'

/** Lets a person sign in at once, whatever failed before. */
type ForgetTries = (db: Db, userId: number, username: string) => Promise<void>

/** What people ask for who are not signed in; each only where the installation has switched it on. */
export function accountsRoutes(app: FastifyInstance, deps: Deps, forgetTries: ForgetTries): void {
  const { db, pool, config, identities } = deps

  serve(
    app,
    register,
    async ({ body, request }) => {
      if (config.registration !== 'live') throw switchedOff('registrations')
      await takeRegistration(pool, request.ip)
      await addWaiting(db, body, request.ip)
      return { registered: true }
    },
    { prepare: trimmed },
  )

  serve(
    app,
    forgotPassword,
    async ({ body, request }) => {
      if (config.passwordReset !== 'live') throw switchedOff('password resets')
      await takeAsked(pool, body.email, request.ip)
      await noteAsked(db, body.email)
      return { accepted: true }
    },
    { prepare: trimmed },
  )

  serve(app, resetPassword, async ({ body, request }) => {
    if (config.passwordReset !== 'live') throw switchedOff('password resets')
    await takeLinkTry(pool, request.ip)
    refuseWeakPassword(body.password)
    const owner = await useLink(db, body.token, body.password)
    if (owner === null) {
      throw invalid([{ field: 'token', message: 'This link is not good any more. Ask for a new one.' }])
    }
    await identities.forget()
    await giveLinkTryBack(pool, request.ip)
    await forgetTries(db, owner.id, owner.username)
    return { changed: true }
  })
}

const switchedOff = (what: string) => new AppError('switched_off', `This installation takes no ${what}.`)

/** Text without the space around it, but for the password. An empty name is none. */
function trimmed(body: Record<string, unknown>): Record<string, unknown> {
  const ready: Record<string, unknown> = {}
  for (const key of ['username', 'name', 'email', 'password']) {
    if (!Object.hasOwn(body, key)) continue
    const value = body[key]
    ready[key] = typeof value === 'string' && key !== 'password' ? value.trim() : value
  }
  if (ready['name'] === '' || ready['name'] === null) delete ready['name']
  return ready
}
