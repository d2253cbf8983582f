import {
  endOwnSession,
  endSessions as endAll,
  login,
  logout,
  me,
  sessions,
} from '@karvon/contract/auth/auth.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import { endSessions } from '../../platform/security/identities.ts'
import { verifyPassword } from '../../platform/security/passwords.ts'
import { serve } from '../../platform/http/serve.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { usernameKey } from '../../platform/security/usernames.ts'
import { admit } from './auth.admit.ts'
import { knownDevice, rememberDevice } from './auth.devices.ts'
import { clearTries, prune, takeSignIn } from './auth.limits.ts'
import { proveOwner } from './auth.proof.ts'
import { personById, personByUsername, sessionsOf, wirePerson } from './auth.store.ts'

const hour = 3_600_000

/** Signing in and out. */
export function authRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config, identities } = deps
  const { idleDays } = config.session

  serve(app, login, async ({ body, request }) => {
    const username = body.username.trim()
    const person = await personByUsername(db, usernameKey(username))
    const about = { user_id: person?.id ?? null }
    const device = await knownDevice(pool, username, body.device)
    const trying = { username, address: request.ip, device }
    await takeSignIn(pool, trying).catch((error: unknown) => {
      app.securityLog.write('sign_in_locked_out', request.ip, about)
      throw error
    })
    // An inactive account is as unknown as none, so that all that follows takes as long.
    const found = person?.is_active === true ? person : undefined
    const right = await verifyPassword(body.password, found?.password_hash ?? null)
    const from = { address: request.ip, userAgent: request.headers['user-agent'] }
    const token =
      right && found
        ? await admit(deps, found, body.code ?? '', from, trying).catch((error: unknown) => {
            app.securityLog.write('second_factor_failed', request.ip, about)
            throw error
          })
        : null
    // One text for a wrong name, a wrong password and an inactive account: none tells that it exists.
    if (token === null || found === undefined) {
      app.securityLog.write('sign_in_failed', request.ip, about)
      throw new AppError('unauthenticated', 'Incorrect username or password.')
    }
    app.securityLog.write('sign_in', request.ip, about)
    await clearTries(pool, trying)
    const known = await rememberDevice(pool, found.id, device, body.device)
    return { access_token: token, token_type: 'bearer', device: known, ...wirePerson(found) }
  })

  serve(app, me, async ({ person }) => wirePerson(await personById(db, person.userId)))

  serve(app, logout, async ({ person, request }) => {
    app.securityLog.write('sign_out', request.ip, { user_id: person.userId })
    await db.deleteFrom('sessions').where('id', '=', person.sessionId).execute()
    await identities.forget()
    return { signed_out: true }
  })

  serve(app, sessions, async ({ person }) => ({
    items: await sessionsOf(db, person.userId, person.sessionId, idleDays),
  }))

  serve(app, endAll, async ({ body, person, request }) => {
    await proveOwner(deps, request, body)
    const ended = await inTransaction(db, (trx) => endSessions(trx, person.userId))
    app.securityLog.write('sessions_ended', request.ip, { user_id: person.userId })
    await identities.forget()
    return { ended }
  })

  serve(app, endOwnSession, async ({ params: { id }, body, person, request }) => {
    if (id !== person.sessionId) await proveOwner(deps, request, body)
    const ended = await db
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('user_id', '=', person.userId)
      .executeTakeFirst()
    if (ended.numDeletedRows === 0n) throw notFound('session')
    await identities.forget()
    return { id }
  })

  const timer = setInterval(() => {
    prune(pool, idleDays).catch((error: unknown) =>
      app.log.warn({ err: error }, 'Could not prune old sessions'),
    )
  }, hour).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
