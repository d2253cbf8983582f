import { getProfile, putProfile } from '@karvon/contract/auth/auth.ts'
import type { BodyOf } from '@karvon/contract/kit/call.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/pool.ts'
import { audit } from '../kit/audit.ts'
import type { Deps } from '../kit/deps.ts'
import { invalid } from '../kit/errors.ts'
import type { Identity } from '../kit/guard.ts'
import { endSessions } from '../kit/identities.ts'
import { hashPassword, verifyPassword } from '../kit/passwords.ts'
import { serve } from '../kit/serve.ts'
import { inTransaction } from '../kit/transaction.ts'
import { clearTries, takeSignIn } from './auth.limits.ts'
import { personById, wirePerson } from './auth.store.ts'

/** One's own name, email and password. */
export function profileRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, identities } = deps

  serve(app, getProfile, async ({ person }) => wirePerson(await personById(db, person.userId)))

  serve(
    app,
    putProfile,
    async ({ body, person, request }) => {
      const { password, current_password: current } = body
      const hash = password === undefined ? undefined : await newHash(password, current, person, request.ip)
      const changed = await inTransaction(db, async (trx) => {
        await change(trx, person, body, hash)
        return personById(trx, person.userId)
      })
      await identities.forget()
      return wirePerson(changed)
    },
    { prepare: trimmed },
  )

  /** Guessing the current password is held back as guessing it at the sign-in is. */
  async function newHash(password: string, current: string | undefined, person: Identity, address: string) {
    if (current === undefined) {
      throw invalid([{ field: 'current_password', message: 'Current password is required' }])
    }
    await takeSignIn(pool, person.username, address)
    const { password_hash: stored } = await personById(db, person.userId)
    if (!(await verifyPassword(current, stored))) {
      throw invalid([{ field: 'current_password', message: 'The current password is not right.' }])
    }
    await clearTries(pool, person.username, address)
    return hashPassword(password)
  }
}

async function change(
  trx: Db,
  person: Identity,
  body: BodyOf<typeof putProfile>,
  hash?: string,
): Promise<void> {
  const old = await personById(trx, person.userId)
  const values = {
    ...(body.name !== undefined && body.name !== old.name && { name: body.name }),
    ...(body.email !== undefined && body.email !== old.email && { email: body.email }),
  }
  if (Object.keys(values).length === 0 && hash === undefined) return
  await trx
    .updateTable('users')
    .set({ ...values, ...(hash !== undefined && { password_hash: hash }), updated_at: new Date() })
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

/** Text trimmed, but for passwords; an empty password or none is no change. */
function trimmed(body: Record<string, unknown>): Record<string, unknown> {
  const ready: Record<string, unknown> = {}
  for (const key of ['name', 'email']) {
    if (Object.hasOwn(body, key)) ready[key] = typeof body[key] === 'string' ? body[key].trim() : body[key]
  }
  for (const key of ['password', 'current_password']) {
    if (Object.hasOwn(body, key) && body[key] !== '' && body[key] !== null) ready[key] = body[key]
  }
  return ready
}
