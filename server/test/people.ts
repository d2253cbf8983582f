import type { FastifyInstance } from 'fastify'
import { callApi, signIn, type Session } from './app.ts'

/** The password of a test person. */
export const getPassword = (username: string): string => `${username}-password`

/** Creates a person by the API, by default with the built-in role `user`, and signs in. */
export async function createUser(
  app: FastifyInstance,
  admin: Session,
  username: string,
  roleId?: number,
): Promise<Session> {
  const password = getPassword(username)
  const role = roleId ?? (await readId(app, admin, '/api/admin/roles/?code=user'))
  const person = { username, name: username, email: `${username}@example.uz`, password, role_id: role }
  const answer = await callApi(app, admin, 'POST', '/api/admin/users/', person)
  if (answer.statusCode !== 201)
    throw new Error(`Creating ${username} gave ${answer.statusCode}: ${answer.body}`)
  return signIn(app, username, password)
}

/** Reads the id of the only row of a list. */
export async function readId(app: FastifyInstance, admin: Session, url: string): Promise<number> {
  const answer = await callApi(app, admin, 'GET', url)
  const [row, ...furtherItems] = answer.json<{ items: { id: number }[] }>().items
  if (row === undefined || furtherItems.length > 0) throw new Error(`${url} answered ${answer.body}`)
  return row.id
}

/** Reads the id of the person of a session. */
export const readOwnId = async (app: FastifyInstance, session: Session): Promise<number> =>
  (await callApi(app, session, 'GET', '/parcel/auth/me')).json<{ id: number }>().id

/** Creates a row by the API and returns its id. */
export async function createRow(
  app: FastifyInstance,
  admin: Session,
  url: string,
  body: Record<string, unknown>,
): Promise<number> {
  const answer = await callApi(app, admin, 'POST', url, body)
  if (answer.statusCode !== 201) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
  return answer.json<{ id: number }>().id
}
