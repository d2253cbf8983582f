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
import { answerList } from '../../resources/lists.answer.ts'
import { serve, type CallContext } from '../../platform/http/serve.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { normalizeUsername } from '../../platform/security/usernames.ts'
import { completeSignIn } from './auth.sign-in.ts'
import { findKnownDevice, rememberDevice } from './auth.devices.queries.ts'
import { clearSignInAttempts, countSignInAttempt, runSignIn } from './auth.limits.ts'
import { reauthenticate } from './auth.reauthenticate.ts'
import { getPersonById, findPersonByUsername, toPerson } from './auth.people.queries.ts'
import { buildOwnSessionList } from './auth.own-sessions.queries.ts'
import { deleteOwnSession, deleteSession } from './auth.sessions.queries.ts'

/** The calls to sign in and out, and those of a person's own sessions. */
export function authRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config, identities, passwords } = deps
  const { idleDays } = config.session

  const signIn = async ({ body, request }: CallContext<typeof login>) => {
    const username = body.username.trim()
    const person = await findPersonByUsername(db, normalizeUsername(username))
    const logFields = { user_id: person?.id ?? null }
    const device = await findKnownDevice(pool, username, body.device)
    const attempt = { username, address: request.ip, device }
    await countSignInAttempt(pool, attempt).catch((error: unknown) => {
      app.securityLog.write('sign_in_locked_out', request.ip, logFields)
      throw error
    })
    // An inactive account is handled like an unknown one, so that both answers take the same time.
    const active = person?.is_active === true ? person : undefined
    const isCorrect = await passwords.verify(body.password, active?.password_hash ?? null)
    const client = { address: request.ip, userAgent: request.headers['user-agent'] }
    const token =
      isCorrect && active
        ? await completeSignIn(deps, { person: active, code: body.code ?? '', client, attempt }).catch(
            (error: unknown) => {
              app.securityLog.write('second_factor_failed', request.ip, logFields)
              throw error
            },
          )
        : null
    // The answer is the same for a wrong name, a wrong password and an inactive account.
    if (token === null || active === undefined) {
      app.securityLog.write('sign_in_failed', request.ip, logFields)
      throw new AppError('wrong_credentials')
    }
    app.securityLog.write('sign_in', request.ip, logFields)
    await clearSignInAttempts(pool, attempt)
    await deps.readReplica?.storePosition(active.id, false)
    const deviceSecret = await rememberDevice(pool, {
      userId: active.id,
      knownHash: device,
      device: body.device,
    })
    return { access_token: token, token_type: 'bearer', device: deviceSecret, ...toPerson(active) }
  }
  serve(app, login, (context) => runSignIn(context.request, () => signIn(context)))

  serve(app, me, async ({ person }) => toPerson(await getPersonById(db, person.userId)))

  serve(app, logout, async ({ person, request }) => {
    app.securityLog.write('sign_out', request.ip, { user_id: person.userId })
    await deleteSession(db, person.sessionId)
    await identities.invalidate()
    return { signed_out: true }
  })

  serve(app, sessions, ({ query, person: { userId, sessionId } }) =>
    answerList(pool, query, buildOwnSessionList(query, { userId, sessionId, idleDays })),
  )

  serve(app, endAll, async ({ body, person, request }) => {
    await reauthenticate(deps, request, body)
    const endedCount = await inTransaction(db, (trx) => endSessions(trx, person.userId))
    app.securityLog.write('sessions_ended', request.ip, { user_id: person.userId })
    await identities.invalidate()
    return { ended: endedCount }
  })

  serve(app, endOwnSession, async ({ params: { id }, body, person, request }) => {
    if (id !== person.sessionId) await reauthenticate(deps, request, body)
    if (!(await deleteOwnSession(db, id, person.userId))) throw notFound('session')
    await identities.invalidate()
    return { id }
  })
}
