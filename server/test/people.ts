import type { FastifyInstance } from 'fastify'
import { ask, signIn, type Signed } from './app.ts'

/** The password of a person that a test makes. */
export const passwordOf = (username: string): string => `${username}-password`

/** Makes a person over the wire, with the built-in role `user` unless another is named, and signs them in. */
export async function createUser(
  app: FastifyInstance,
  admin: Signed,
  username: string,
  roleId?: number,
): Promise<Signed> {
  const password = passwordOf(username)
  const role = roleId ?? (await idOf(app, admin, '/api/admin/roles/?code=user'))
  const person = { username, name: username, email: `${username}@example.uz`, password, role_id: role }
  const answer = await ask(app, admin, 'POST', '/api/admin/users/', person)
  if (answer.statusCode !== 201)
    throw new Error(`Making ${username} gave ${answer.statusCode}: ${answer.body}`)
  return signIn(app, username, password)
}

/** The id of the one row that a list answers. */
export async function idOf(app: FastifyInstance, admin: Signed, url: string): Promise<number> {
  const answer = await ask(app, admin, 'GET', url)
  const [row, ...more] = answer.json<{ items: { id: number }[] }>().items
  if (row === undefined || more.length > 0) throw new Error(`${url} answered ${answer.body}`)
  return row.id
}
