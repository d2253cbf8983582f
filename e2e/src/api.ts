import type { LoginAnswer } from '@karvon/contract/auth/auth.ts'

/** A signed-in client of the product's API, to prepare the data of a test. */
export class Api {
  readonly url: string
  readonly session: LoginAnswer

  private constructor(url: string, session: LoginAnswer) {
    this.url = url
    this.session = session
  }

  static async signIn(url: string, username: string, password: string): Promise<Api> {
    const form = new FormData()
    form.set('username', username)
    form.set('password', password)
    const answer = await fetch(`${url}/parcel/auth/login`, { method: 'POST', body: form })
    if (!answer.ok) throw new Error(`Sign-in as ${username}: ${answer.status} ${await answer.text()}`)
    return new Api(url, (await answer.json()) as LoginAnswer)
  }

  /** Sends a request and throws if it fails. A body other than FormData is sent as JSON. */
  async call<T>(method: string, path: string, body?: FormData | Record<string, unknown>): Promise<T> {
    const isForm = body instanceof FormData
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.session.access_token}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  /** Creates a regular person with a separate role. */
  async newPerson(username: string, sourceIds: number[] = []): Promise<{ id: number; password: string }> {
    const password = `${username}-password`
    const role = await this.call<{ id: number }>('POST', '/api/admin/roles/', {
      name: `Role of ${username}`,
      code: `role-${username}`,
      source_ids: sourceIds,
    })
    const user = await this.call<{ id: number }>('POST', '/api/admin/users/', {
      username,
      name: `Name of ${username}`,
      email: `${username}@example.org`,
      password,
      role_id: role.id,
    })
    return { id: user.id, password }
  }
}
