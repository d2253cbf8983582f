import type { SendRequest } from './access.send.ts'

/** The rights of a caller. `nobody` has no valid session. */
export type AccessLevel = 'nobody' | 'person' | 'admin'

export interface Caller {
  name: string
  level: AccessLevel
  /** The token to send. Null: none. `own`: a token that no other request uses. */
  token(own?: 'own'): Promise<string | null>
}

export interface ProductAccess {
  send: SendRequest
  admin: { username: string; password: string }
  /** Runs one statement in the product's database. */
  query(text: string, values: unknown[]): Promise<unknown>
}

/** Creates nine callers of every kind. Their tokens stay valid or invalid until a sign-out. */
export async function createCallers(product: ProductAccess): Promise<Caller[]> {
  const client = createApiClient(product.send)
  const admin = await client.signIn(product.admin)
  const createRole = (code: string) =>
    client.post('/api/admin/roles/', { name: code, code, source_ids: [] }, admin).then(({ id }) => id)
  const [helper, courier] = [await createRole('matrix-helper'), await createRole('matrix-courier')]
  const createPerson = async (username: string, role_id: unknown) => {
    const password = `${username}-password`
    const body = { username, name: username, email: `${username}@example.uz`, password, role_id }
    const { id } = await client.post('/api/admin/users/', body, admin)
    return { id, username, password }
  }
  const regular = await createPerson('matrix-regular', helper)
  const otherPerson = await createPerson('matrix-other', courier)
  const deactivatedPerson = await createPerson('matrix-gone', helper)
  const adminTwo = await createPerson('matrix-admin', 1)

  const createExpiredToken = async (change: string) => {
    const token = await client.signIn(adminTwo)
    await product.query(
      `update sessions set ${change} where id = (select max(id) from sessions where user_id = $1)`,
      [adminTwo.id],
    )
    return token
  }
  const idleToken = await createExpiredToken(`last_used_at = now() - interval '8 days'`)
  const expiredToken = await createExpiredToken(`expires_at = now() - interval '1 second'`)
  const signedOutToken = await client.signIn(adminTwo)
  await client.post('/parcel/auth/logout', undefined, signedOutToken)
  const deactivatedToken = await client.signIn(deactivatedPerson)
  await client.put(`/api/admin/users/${String(deactivatedPerson.id)}/deactivate`, admin)

  const createFixedCaller = (name: string, level: AccessLevel, token: string | null): Caller => ({
    name,
    level,
    token: async () => token,
  })
  const createCaller = (
    name: string,
    level: AccessLevel,
    credentials: { username: string; password: string },
  ): Caller => {
    let sharedToken: Promise<string> | undefined
    return {
      name,
      level,
      token(own) {
        if (own === undefined) return (sharedToken ??= client.signIn(credentials))
        sharedToken = undefined
        return client.signIn(credentials)
      },
    }
  }
  return [
    createFixedCaller('anonymous', 'nobody', null),
    createFixedCaller('garbage', 'nobody', 'A'.repeat(43)),
    createFixedCaller('expired, idle', 'nobody', idleToken),
    createFixedCaller('expired, absolute', 'nobody', expiredToken),
    createFixedCaller('signed out', 'nobody', signedOutToken),
    createFixedCaller('deactivated', 'nobody', deactivatedToken),
    createCaller('regular', 'person', regular),
    createCaller('regular of another role', 'person', otherPerson),
    createCaller('admin', 'admin', adminTwo),
  ]
}

function createApiClient(send: SendRequest) {
  const call = async (method: string, target: string, body?: object, token?: string) => {
    const answer = await send({
      method,
      target,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (answer.status >= 300) throw new Error(`${method} ${target} gave ${answer.status}: ${answer.body}`)
    return JSON.parse(answer.body) as Record<string, unknown>
  }
  return {
    post: (target: string, body: object | undefined, token: string) => call('POST', target, body, token),
    put: (target: string, token: string) => call('PUT', target, undefined, token),
    signIn: async (credentials: { username: string; password: string }) =>
      String((await call('POST', '/parcel/auth/login', credentials)).access_token),
  }
}
