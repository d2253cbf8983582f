import type { SendAs } from './access.send.ts'

/** Who calls: without a session that is good, a person, or an admin. */
export type Standing = 'nobody' | 'person' | 'admin'

export interface Caller {
  name: string
  standing: Standing
  /** A token as it is sent, null to send none; `own` is one that nobody else uses. */
  token(own?: 'own'): Promise<string | null>
}

export interface Doors {
  send: SendAs
  admin: { username: string; password: string }
  /** One statement on the product's database. */
  query(text: string, values: unknown[]): Promise<unknown>
}

/** Nine callers of every kind. Their tokens are good, or bad, for as long as nobody signs them out. */
export async function makeCallers(doors: Doors): Promise<Caller[]> {
  const ask = asker(doors.send)
  const admin = await ask.signIn(doors.admin)
  const role = (code: string) =>
    ask.post('/api/admin/roles/', { name: code, code, source_ids: [] }, admin).then(({ id }) => id)
  const [helper, courier] = [await role('matrix-helper'), await role('matrix-courier')]
  const person = async (username: string, role_id: unknown) => {
    const password = `${username}-password`
    const body = { username, name: username, email: `${username}@example.uz`, password, role_id }
    const { id } = await ask.post('/api/admin/users/', body, admin)
    return { id, username, password }
  }
  const regular = await person('matrix-regular', helper)
  const other = await person('matrix-other', courier)
  const gone = await person('matrix-gone', helper)
  const adminTwo = await person('matrix-admin', 1)

  const over = async (change: string) => {
    const token = await ask.signIn(adminTwo)
    await doors.query(
      `update sessions set ${change} where id = (select max(id) from sessions where user_id = $1)`,
      [adminTwo.id],
    )
    return token
  }
  const idle = await over(`last_used_at = now() - interval '8 days'`)
  const absolute = await over(`expires_at = now() - interval '1 second'`)
  const signedOut = await ask.signIn(adminTwo)
  await ask.post('/parcel/auth/logout', undefined, signedOut)
  const deactivated = await ask.signIn(gone)
  await ask.put(`/api/admin/users/${String(gone.id)}/deactivate`, admin)

  const fixed = (name: string, standing: Standing, token: string | null): Caller => ({
    name,
    standing,
    token: async () => token,
  })
  const fresh = (name: string, standing: Standing, as: { username: string; password: string }): Caller => {
    let usual: Promise<string> | undefined
    return {
      name,
      standing,
      token(own) {
        if (own === undefined) return (usual ??= ask.signIn(as))
        usual = undefined
        return ask.signIn(as)
      },
    }
  }
  return [
    fixed('anonymous', 'nobody', null),
    fixed('garbage', 'nobody', 'A'.repeat(43)),
    fixed('expired, idle', 'nobody', idle),
    fixed('expired, absolute', 'nobody', absolute),
    fixed('signed out', 'nobody', signedOut),
    fixed('deactivated', 'nobody', deactivated),
    fresh('regular', 'person', regular),
    fresh('regular of another role', 'person', other),
    fresh('admin', 'admin', adminTwo),
  ]
}

function asker(send: SendAs) {
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
    signIn: async (as: { username: string; password: string }) =>
      String((await call('POST', '/parcel/auth/login', as)).access_token),
  }
}
