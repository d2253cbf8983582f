import { endSession, endSessionsOfPerson, listSessions } from '@karvon/contract/sessions/sessions.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import { endSessions } from '../../platform/security/identities.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { serve } from '../../platform/http/serve.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { buildSessionList, deleteSessionOfAnyone, lockUsername } from './sessions.queries.ts'

/** The calls with which an admin lists sessions, and ends one session or all sessions of a person. */
export function sessionsRoutes(app: FastifyInstance, { db, pool, config, identities }: Deps): void {
  const { idleDays } = config.session

  serve(app, listSessions, ({ query, person: { sessionId } }) =>
    answerList(pool, query, buildSessionList(query, { sessionId, idleDays })),
  )

  serve(app, endSession, async ({ params: { id }, person }) => {
    await inTransaction(db, async (trx) => {
      const session = await deleteSessionOfAnyone(trx, id)
      if (session === undefined) throw notFound('session')
      if (session.user_id === person.userId && id !== person.sessionId) throw createOwnSessionsError()
      await audit(trx, { person, action: 'delete', resource: 'sessions', rowId: id, before: session })
    })
    await identities.invalidate()
    return { id }
  })

  serve(app, endSessionsOfPerson, async ({ params: { id }, person }) => {
    if (id === person.userId) throw createOwnSessionsError()
    const endedCount = await inTransaction(db, async (trx) => {
      const user = await lockUsername(trx, id)
      if (user === undefined) throw notFound('user')
      const count = await endSessions(trx, id)
      const auditValues = { user_id: id, username: user.username, sessions: count }
      if (count > 0) await audit(trx, { person, action: 'delete', resource: 'sessions', before: auditValues })
      return count
    })
    await identities.invalidate()
    return { ended: endedCount }
  })
}

/** The profile asks for the password. */
const createOwnSessionsError = () => new AppError('own_sessions')
