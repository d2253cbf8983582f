import type { AttackRole } from './fuzz.attack.ts'
import { admin } from './product.ts'

const passwords = { regular: 'karvon-hostile-regular', throwaway: 'karvon-hostile-throwaway' } as const

interface LoginAnswer {
  access_token: string
  id: number
}

/** The people that send attacks, and their tokens. */
export class People {
  readonly #url: string
  readonly #tokens = new Map<AttackRole, string>()
  /** Running sign-ins. Many at a time would count as failed attempts. */
  readonly #renewing = new Map<AttackRole, Promise<string>>()
  readonly #people = new Map<AttackRole, { username: string; password: string }>()
  #signIns = 0
  #userCount = 0
  /** People that no attack may change, because they would lose their role. */
  readonly protectedIds = new Set<number>()

  constructor(url: string) {
    this.#url = url
  }

  /** Creates the people and signs them in. */
  async create(): Promise<void> {
    const token = await this.#signIn('admin')
    for (const role of ['regular', 'throwaway'] as const) await this.#createUser(role, token)
  }

  async #createUser(role: 'regular' | 'throwaway', token: string | null): Promise<string> {
    const username = `${role}-${(this.#userCount += 1)}`
    const password = passwords[role]
    const body = { username, name: role, email: `${username}@example.com`, password, role_id: 2 }
    const answer = await this.#post('/api/admin/users/', body, token)
    if (answer.status !== 201)
      throw new Error(`Creating ${role} answered ${answer.status}: ${await answer.text()}`)
    // Until the sign-in, attacks could otherwise change the new account.
    this.protectedIds.add(((await answer.json()) as { id: number }).id)
    this.#people.set(role, { username, password })
    return this.#signIn(role)
  }

  token(role: AttackRole): string | null {
    return role === 'anonymous' ? null : (this.#tokens.get(role) ?? null)
  }

  /** Signs in again if `token` is still in use. */
  async renew(role: AttackRole, token: string | null): Promise<void> {
    if (role === 'anonymous' || this.#tokens.get(role) !== token) return
    const renewing = this.#renewing.get(role) ?? this.#signIn(role)
    this.#renewing.set(role, renewing)
    try {
      await renewing
    } finally {
      this.#renewing.delete(role)
    }
  }

  async #signIn(role: Exclude<AttackRole, 'anonymous'>): Promise<string> {
    const answer = await this.#post('/parcel/auth/login', this.#people.get(role) ?? admin)
    // Attacks used up the sign-in attempts of this account. The next account has another name.
    if (answer.status === 429 && role !== 'admin') return this.#createUser(role, this.token('admin'))
    if (answer.status !== 200)
      throw new Error(`Signing in as ${role} answered ${answer.status}: ${await answer.text()}`)
    const { access_token, id } = (await answer.json()) as LoginAnswer
    this.protectedIds.add(id)
    this.#tokens.set(role, access_token)
    return access_token
  }

  #post(path: string, body: unknown, token: string | null = null): Promise<Response> {
    this.#signIns += 1
    return fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // No attack uses this address range.
        'x-forwarded-for': `192.168.${this.#signIns >> 8}.${this.#signIns & 255}`,
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
  }
}
