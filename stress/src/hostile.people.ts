import type { Who } from './hostile.attack.ts'
import { admin } from './product.ts'

const passwords = { regular: 'karvon-hostile-regular', throwaway: 'karvon-hostile-throwaway' } as const

interface Signed {
  access_token: string
  id: number
}

/** The people in whose names attacks are sent, and their tokens; a token that died is replaced. */
export class People {
  readonly #url: string
  readonly #tokens = new Map<Who, string>()
  /** Sign-ins under way: many at a time would count as tries that failed. */
  readonly #renewing = new Map<Who, Promise<string>>()
  readonly #people = new Map<Who, { username: string; password: string }>()
  #signIns = 0
  #made = 0
  /** Whom no attack may change: they would no longer be what they stand for. */
  readonly spared = new Set<number>()

  constructor(url: string) {
    this.#url = url
  }

  /** Makes the people, who are there from then on. */
  async open(): Promise<void> {
    const token = await this.#signIn('admin')
    for (const who of ['regular', 'throwaway'] as const) await this.#make(who, token)
  }

  async #make(who: 'regular' | 'throwaway', token: string | null): Promise<string> {
    const username = `${who}-${(this.#made += 1)}`
    const password = passwords[who]
    const body = { username, name: who, email: `${username}@example.com`, password, role_id: 2 }
    const answer = await this.#post('/api/admin/users/', body, token)
    if (answer.status !== 201)
      throw new Error(`Making ${who} answered ${answer.status}: ${await answer.text()}`)
    this.#people.set(who, { username, password })
    return this.#signIn(who)
  }

  token(who: Who): string | null {
    return who === 'nobody' ? null : (this.#tokens.get(who) ?? null)
  }

  /** Signs in anew where `token` is still the one in use. */
  async renew(who: Who, token: string | null): Promise<void> {
    if (who === 'nobody' || this.#tokens.get(who) !== token) return
    const renewing = this.#renewing.get(who) ?? this.#signIn(who)
    this.#renewing.set(who, renewing)
    try {
      await renewing
    } finally {
      this.#renewing.delete(who)
    }
  }

  async #signIn(who: Exclude<Who, 'nobody'>): Promise<string> {
    const answer = await this.#post('/parcel/auth/login', this.#people.get(who) ?? admin)
    // Attacks guessed at this one's password: the next one has another name.
    if (answer.status === 429 && who !== 'admin') return this.#make(who, this.token('admin'))
    if (answer.status !== 200)
      throw new Error(`Signing in as ${who} answered ${answer.status}: ${await answer.text()}`)
    const { access_token, id } = (await answer.json()) as Signed
    this.spared.add(id)
    this.#tokens.set(who, access_token)
    return access_token
  }

  #post(path: string, body: unknown, token: string | null = null): Promise<Response> {
    this.#signIns += 1
    return fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // An address that no attack comes from.
        'x-forwarded-for': `192.168.${this.#signIns >> 8}.${this.#signIns & 255}`,
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
  }
}
