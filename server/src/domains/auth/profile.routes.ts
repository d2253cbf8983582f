import { getProfile, putProfile } from '@karvon/contract/auth/auth.ts'
import type { BodyOf } from '@karvon/contract/lib/call.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { changedMeanwhile, touched } from '../../platform/database/conflict.ts'
import type { Deps } from '../../platform/deps.ts'
import { identityOf, type Identity } from '../../platform/http/guard.ts'
import { endSessions } from '../../platform/security/identities.ts'
import { refuseWeakPassword } from '../../platform/security/password-rules.ts'
import { hashPassword } from '../../platform/security/passwords.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerTransaction } from '../../platform/database/transaction.ts'
import { proveOwner } from './auth.proof.ts'
import { personById, profileOf } from './auth.store.ts'

type ProfileChange = BodyOf<typeof putProfile>

/** One's own name, email and password. */
export function profileRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, identities } = deps

  serve(app, getProfile, ({ person }) => profileOf(db, person))

  serve(
    app,
    putProfile,
    async ({ body, person, request }) => {
      const hash = await proven(body, request)
      const answer = await answerTransaction(db, async (trx) => {
        await change(trx, person, body, hash)
        return new RawJson(JSON.stringify(await profileOf(trx, person)))
      })
      await identities.forget()
      return answer
    },
    { prepare: trimmed },
  )

  /** Asks for what the change needs; the hash of a new password. */
  async function proven(body: ProfileChange, request: FastifyRequest): Promise<string | undefined> {
    const person = identityOf(request)
    const { password, current_password } = body
    if (password !== undefined) {
      // A code alone does not change the password: who found an unlocked phone would keep the account.
      await proveOwner(deps, request, { ...(current_password !== undefined && { current_password }) })
      const { email } = await personById(db, person.userId)
      refuseWeakPassword(password, person.username, email)
      return hashPassword(password)
    }
    const { email } = await personById(db, person.userId)
    if (body.email !== undefined && body.email !== email) await proveOwner(deps, request, body)
    return undefined
  }
}

async function change(trx: Db, person: Identity, body: ProfileChange, hash?: string): Promise<void> {
  await refuseStale(trx, person.userId, body.updated_at)
  const old = await personById(trx, person.userId)
  const values = {
    ...(body.name !== undefined && body.name !== old.name && { name: body.name }),
    ...(body.email !== undefined && body.email !== old.email && { email: body.email }),
  }
  if (Object.keys(values).length === 0 && hash === undefined) return
  await trx
    .updateTable('users')
    .set({ ...values, ...(hash !== undefined && { password_hash: hash }), updated_at: touched })
    .where('id', '=', person.userId)
    .execute()
  if (hash !== undefined) await endSessions(trx, person.userId, person.sessionId)
  const secret = hash === undefined ? {} : { password: '…' }
  const before = Object.fromEntries(Object.keys(values).map((key) => [key, old[key as keyof typeof values]]))
  await audit(
    trx,
    person,
    'update',
    'profile',
    person.userId,
    { ...before, ...secret },
    { ...values, ...secret },
  )
}

async function refuseStale(trx: Db, id: number, asRead: string | null | undefined): Promise<void> {
  const row = await trx
    .selectFrom('users')
    .select(sql<boolean>`coalesce(updated_at = ${asRead ?? null}::timestamptz, true)`.as('same'))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row?.same === false) throw changedMeanwhile('profile')
}

/** Text trimmed, but for passwords; an empty password or code is none. */
function trimmed(body: Record<string, unknown>): Record<string, unknown> {
  const ready: Record<string, unknown> = {}
  if (Object.hasOwn(body, 'updated_at')) ready.updated_at = body.updated_at
  for (const key of ['name', 'email']) {
    if (Object.hasOwn(body, key)) ready[key] = typeof body[key] === 'string' ? body[key].trim() : body[key]
  }
  for (const key of ['password', 'current_password', 'code']) {
    if (Object.hasOwn(body, key) && body[key] !== '' && body[key] !== null) ready[key] = body[key]
  }
  return ready
}
