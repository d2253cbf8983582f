import {
  endOwnSession,
  endSessions as endAll,
  login,
  logout,
  me,
  sessions,
} from '@karvon/contract/auth/auth.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../kit/deps.ts'
import { AppError, notFound } from '../kit/errors.ts'
import { endSessions } from '../kit/identities.ts'
import { verifyPassword } from '../kit/passwords.ts'
import { serve } from '../kit/serve.ts'
import { inTransaction } from '../kit/transaction.ts'
import { admit } from './auth.admit.ts'
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
    await takeSignIn(pool, username, request.ip)
    const known = await personByUsername(db, username)
    // An inactive account is as unknown as none, so that all that follows takes as long.
    const found = known?.is_active === true ? known : undefined
    const right = await verifyPassword(body.password, found?.password_hash ?? null)
    const from = { address: request.ip, userAgent: request.headers['user-agent'] }
    const token = right && found ? await admit(deps, found, body.code ?? '', from) : null
    // One text for a wrong name, a wrong password and an inactive account: none tells that it exists.
    if (token === null || found === undefined) {
      throw new AppError('unauthenticated', 'Incorrect username or password.')
    }
    await clearTries(pool, username, request.ip)
    return { access_token: token, token_type: 'bearer', ...wirePerson(found) }
  })

  serve(app, me, async ({ person }) => wirePerson(await personById(db, person.userId)))

  serve(app, logout, async ({ person }) => {
    await db.deleteFrom('sessions').where('id', '=', person.sessionId).execute()
    await identities.forget()
    return { signed_out: true }
  })

  serve(app, sessions, async ({ person }) => ({
    items: await sessionsOf(db, person.userId, person.sessionId, idleDays),
  }))

  serve(app, endAll, async ({ body, person, request }) => {
    await proveOwner(deps, person, body, request.ip)
    const ended = await inTransaction(db, (trx) => endSessions(trx, person.userId))
    await identities.forget()
    return { ended }
  })

  serve(app, endOwnSession, async ({ params: { id }, body, person, request }) => {
    if (id !== person.sessionId) await proveOwner(deps, person, body, request.ip)
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
