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
import { notFound } from '../../platform/http/errors.ts'
import { endSessions } from '../../platform/security/identities.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { serve } from '../../platform/http/serve.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { signInWithPassword } from './auth.sign-in.ts'
import { runSignIn } from './auth.limits.ts'
import { reauthenticate } from './auth.reauthenticate.ts'
import { getPersonById, toPerson } from './auth.people.queries.ts'
import { buildOwnSessionList } from './auth.own-sessions.queries.ts'
import { deleteOwnSession, deleteSession } from './auth.sessions.queries.ts'

/** The calls to sign in and out, and those of a person's own sessions. */
export function authRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config, identities } = deps
  const { idleDays } = config.session

  serve(app, login, (context) => runSignIn(context.request, () => signInWithPassword(deps, context)))

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
