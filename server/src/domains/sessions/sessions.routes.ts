import { endSession, endSessionsOfPerson, listSessions } from '@karvon/contract/sessions/sessions.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import { endSessions } from '../../platform/security/identities.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { serve } from '../../platform/http/serve.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { sessionsListText } from './sessions.queries.ts'

/** Who is signed in, and an admin's way to end it: one session, or all of a person. */
export function sessionsRoutes(app: FastifyInstance, { db, pool, config, identities }: Deps): void {
  const { idleDays } = config.session

  serve(app, listSessions, ({ query, person: { sessionId } }) =>
    answerList(pool, query, (span) => sessionsListText(query, { sessionId, idleDays }, span)),
  )

  serve(app, endSession, async ({ params: { id }, person }) => {
    await inTransaction(db, async (trx) => {
      const ended = await trx
        .deleteFrom('sessions')
        .using('users')
        .whereRef('users.id', '=', 'sessions.user_id')
        .where('sessions.id', '=', id)
        .returning(['user_id', 'username', 'address', 'user_agent'])
        .executeTakeFirst()
      if (ended === undefined) throw notFound('session')
      if (ended.user_id === person.userId && id !== person.sessionId) throw ownSessions()
      await audit(trx, person, 'delete', 'sessions', id, ended, null)
    })
    await identities.forget()
    return { id }
  })

  serve(app, endSessionsOfPerson, async ({ params: { id }, person }) => {
    if (id === person.userId) throw ownSessions()
    const ended = await inTransaction(db, async (trx) => {
      // Locked, so that a sign-in under way is either ended here or begins after this.
      const found = await trx
        .selectFrom('users')
        .select('username')
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (found === undefined) throw notFound('user')
      const count = await endSessions(trx, id)
      const told = { user_id: id, username: found.username, sessions: count }
      if (count > 0) await audit(trx, person, 'delete', 'sessions', null, told, null)
      return count
    })
    await identities.forget()
    return { ended }
  })
}

/** There the password is asked for. */
const ownSessions = () => new AppError('conflict', 'End your own other sessions in your profile.')
