import type { FastifyInstance } from 'fastify'
import { createCode, getCounter } from '../src/domains/auth/second-factor.totp.ts'
import { ask, type Signed } from './app.ts'
import { now } from './moment.ts'

/** A person's authenticator app: each code is of a later step than the one before, and still taken. */
export class Authenticator {
  readonly secret: string
  #last = 0

  constructor(secret: string) {
    this.secret = secret
  }

  /** The next code; a third one must wait until the steps of the first two are past, see {@link timePasses}. */
  next(): string {
    this.#last = Math.max(getCounter(now()), this.#last + 1)
    return createCode(this.secret, this.#last)
  }

  /** As if it were later: the step of now may be used again. */
  async timePasses(pool: { query(text: string): Promise<unknown> }): Promise<void> {
    await pool.query('update second_factors set last_counter = 0')
    this.#last = 0
  }
}

/** Turns a person's second factor on over the wire; their app and their recovery codes. */
export async function turnSecondFactorOn(
  app: FastifyInstance,
  as: Signed,
  password: string,
): Promise<{ phone: Authenticator; recovery: string[] }> {
  const at = '/parcel/auth/second-factor'
  const begun = await ask(app, as, 'POST', `${at}/begin`, { current_password: password })
  if (begun.statusCode !== 200) throw new Error(`Beginning gave ${begun.statusCode}: ${begun.body}`)
  const phone = new Authenticator(begun.json<{ secret: string }>().secret)
  const confirmed = await ask(app, as, 'POST', `${at}/confirm`, { code: phone.next() })
  if (confirmed.statusCode !== 200)
    throw new Error(`Confirming gave ${confirmed.statusCode}: ${confirmed.body}`)
  return { phone, recovery: confirmed.json<{ recovery_codes: string[] }>().recovery_codes }
}
