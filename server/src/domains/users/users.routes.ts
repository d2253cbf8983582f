import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { activateUser, deactivateUser, users } from '@karvon/contract/users/users.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import type { Hooks } from '../../resources/crud.hooks.ts'
import { crud, createRowReader } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { endSessions } from '../../platform/security/identities.ts'
import { lockAdmins, refuseWithoutAdmin } from '../../platform/security/last-admin.ts'
import { refuseWeakPassword } from '../../platform/security/password-rules.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import { refuseLookAlike } from '../../platform/security/usernames.ts'
import { lockActivity, updateActivity } from './users.queries.ts'

interface UserChange {
  username?: string
  email?: string
  password?: string
  role_id?: number
}

/** The calls of people. A change of role applies at once. A new password ends the person's other sessions. */
export function usersRoutes(app: FastifyInstance, deps: Deps): void {
  const hooks: Hooks<UserChange> = {
    beforeLock: async ({ trx, body }) => {
      if (body.role_id !== undefined) await lockAdmins(trx)
    },
    computeColumns: async ({ trx, body, oldRow, person }) => {
      if (oldRow?.id === person.userId) refuseOwnCredentials(body, oldRow)
      const { username, email, password } = body
      if (username !== undefined && username !== oldRow?.username) {
        const id = oldRow === null ? null : Number(oldRow.id)
        await refuseLookAlike(trx, username, { table: 'users', field: 'username', label: 'Username', id })
      }
      if (password === undefined) return {}
      const ownerNames = [username ?? oldRow?.username, email ?? oldRow?.email].map((ownerName) =>
        typeof ownerName === 'string' ? ownerName : '',
      )
      refuseWeakPassword(password, ...ownerNames)
      return { password_hash: await deps.passwords.hash(password) }
    },
    afterWrite: async ({ trx, body, oldRow, id, person }) => {
      if (oldRow === null) return undefined
      if (body.role_id !== undefined) await refuseWithoutAdmin(trx)
      if (body.password !== undefined)
        await endSessions(trx, id, person.userId === id ? person.sessionId : null)
      return undefined
    },
    afterCommit: () => deps.identities.invalidate(),
  }
  crud(app, deps, { resource: users, ...hooks })

  const readRow = createRowReader(deps, { resource: users, ...hooks })
  const setActive = async (id: number, active: boolean, person: Identity) => {
    const answer = await inTransactionStoringAnswer(deps.db, async (trx) => {
      await lockAdmins(trx)
      const oldUser = await lockActivity(trx, id)
      if (oldUser === undefined) throw notFound(users.noun.one)
      if (oldUser.is_active !== active || oldUser.waiting) {
        const now = { is_active: active, waiting: false }
        await updateActivity(trx, id, now)
        const auditValues = (state: typeof oldUser) =>
          oldUser.waiting ? { ...state } : { is_active: state.is_active }
        const action = active ? 'activate' : 'deactivate'
        await audit(trx, {
          person,
          action,
          resource: 'users',
          rowId: id,
          before: auditValues(oldUser),
          after: auditValues(now),
        })
      }
      if (!active) {
        await refuseWithoutAdmin(trx)
        await endSessions(trx, id)
      }
      return new RawJson(await readRow(id, trx))
    })
    await deps.identities.invalidate()
    return answer
  }
  serve(app, activateUser, ({ params, person }) => setActive(params.id, true, person))
  serve(app, deactivateUser, ({ params, person }) => setActive(params.id, false, person))
}

/** Refuses a change of one's own credentials here. The profile asks for the password, so that a stolen session is not enough. */
function refuseOwnCredentials(body: UserChange, oldUser: Record<string, unknown>): void {
  const changedFields = [
    ...(body.email !== undefined && body.email !== oldUser.email ? ['email'] : []),
    ...(body.password === undefined ? [] : ['password']),
  ]
  if (changedFields.length === 0) return
  throw invalid(changedFields.map((field) => fieldError(field, 'own_credential', { field })))
}
