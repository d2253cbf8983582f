import { getProfile, putProfile } from '@karvon/contract/auth/auth.ts'
import type { BodyOf } from '@karvon/contract/lib/call.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { createConflictError } from '../../platform/database/conflict.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { endSessions } from '../../platform/security/identities.ts'
import { refuseWeakPassword } from '../../platform/security/password-rules.ts'
import { pickFields } from '../../platform/http/pick-fields.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import { reauthenticate } from './auth.reauthenticate.ts'
import {
  lockCurrentProfile,
  getPersonById,
  readProfile,
  updateProfile,
  type PersonRow,
} from './auth.people.queries.ts'

type ProfileChange = BodyOf<typeof putProfile>

/** The calls of a person's own name, email, password and language. */
export function profileRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, identities } = deps

  serve(app, getProfile, ({ person }) => readProfile(db, person))

  serve(app, putProfile, {
    prepare: prepareChange,
    handler: async ({ body, person, request }) => {
      // Read before the proof, so that the change can see whether the credentials are still those of the proof.
      const credentials = await getPersonById(db, person.userId)
      const hash = await authorizeChange(body, request, credentials)
      const answer = await inTransactionStoringAnswer(db, async (trx) => {
        await applyChange(trx, { person, body, credentials, hash })
        return new RawJson(JSON.stringify(await readProfile(trx, person)))
      })
      await identities.invalidate()
      return answer
    },
  })

  /** Reauthenticates if the change needs it. Answers the hash of a new password. */
  async function authorizeChange(
    body: ProfileChange,
    request: FastifyRequest,
    { username, email }: PersonRow,
  ): Promise<string | undefined> {
    const { password, current_password } = body
    if (password !== undefined) {
      // A code alone is not enough: with an unlocked phone of the owner, anybody could take over the account.
      await reauthenticate(deps, request, { ...(current_password !== undefined && { current_password }) })
      refuseWeakPassword(password, username, email)
      return deps.passwords.hash(password)
    }
    if (body.email !== undefined && body.email !== email) await reauthenticate(deps, request, body)
    return undefined
  }
}

async function applyChange(
  trx: Db,
  {
    person,
    body,
    credentials,
    hash,
  }: { person: Identity; body: ProfileChange; credentials: PersonRow; hash?: string | undefined },
): Promise<void> {
  if (!(await lockCurrentProfile(trx, person.userId, body.updated_at ?? null)))
    throw createConflictError('profile')
  const oldPerson = await getPersonById(trx, person.userId)
  const values = {
    ...(body.name !== undefined && body.name !== oldPerson.name && { name: body.name }),
    ...(body.email !== undefined && body.email !== oldPerson.email && { email: body.email }),
    ...(body.language !== undefined && body.language !== oldPerson.language && { language: body.language }),
  }
  if (Object.keys(values).length === 0 && hash === undefined) return
  const hasOtherCredentials =
    oldPerson.email !== credentials.email || oldPerson.password_hash !== credentials.password_hash
  if ((values.email !== undefined || hash !== undefined) && hasOtherCredentials)
    throw createConflictError('profile')
  await updateProfile(trx, person.userId, { ...values, ...(hash !== undefined && { password_hash: hash }) })
  if (hash !== undefined) await endSessions(trx, person.userId, person.sessionId)
  const secret = hash === undefined ? {} : { password: '…' }
  const before = Object.fromEntries(
    Object.keys(values).map((key) => [key, oldPerson[key as keyof typeof values]]),
  )
  await audit(trx, {
    person,
    action: 'update',
    resource: 'profile',
    rowId: person.userId,
    before: { ...before, ...secret },
    after: { ...values, ...secret },
  })
}

/** Trims texts except passwords. Removes empty passwords and codes. */
function prepareChange(body: Record<string, unknown>): Record<string, unknown> {
  const secrets = ['password', 'current_password', 'code']
  const fields = pickFields(body, {
    trimmed: ['name', 'email'],
    kept: ['language', 'updated_at', ...secrets],
  })
  for (const key of secrets) if (fields[key] === '' || fields[key] === null) delete fields[key]
  return fields
}
