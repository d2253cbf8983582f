import type { FastifyInstance } from 'fastify'
import { createCode, getCounter } from '../src/domains/auth/second-factor.totp.ts'
import { callApi, type Session } from './app.ts'
import { now } from './moment.ts'

/** An authenticator app. Each code is of a later step than the code before, and still valid. */
export class Authenticator {
  readonly secret: string
  #last = 0

  constructor(secret: string) {
    this.secret = secret
  }

  /** The next code. A third code is valid only after {@link advanceTime}. */
  next(): string {
    this.#last = Math.max(getCounter(now()), this.#last + 1)
    return createCode(this.secret, this.#last)
  }

  /** Simulates a later time: the current step is valid again. */
  async advanceTime(pool: { query(text: string): Promise<unknown> }): Promise<void> {
    await pool.query('update second_factors set last_counter = 0')
    this.#last = 0
  }
}

/** Enables a person's second factor by the API. Returns the app and the recovery codes. */
export async function turnOnSecondFactor(
  app: FastifyInstance,
  as: Session,
  password: string,
): Promise<{ authenticator: Authenticator; recovery: string[] }> {
  const basePath = '/parcel/auth/second-factor'
  const begin = await callApi(app, as, 'POST', `${basePath}/begin`, { current_password: password })
  if (begin.statusCode !== 200) throw new Error(`Beginning gave ${begin.statusCode}: ${begin.body}`)
  const authenticator = new Authenticator(begin.json<{ secret: string }>().secret)
  const confirm = await callApi(app, as, 'POST', `${basePath}/confirm`, { code: authenticator.next() })
  if (confirm.statusCode !== 200) throw new Error(`Confirming gave ${confirm.statusCode}: ${confirm.body}`)
  return { authenticator, recovery: confirm.json<{ recovery_codes: string[] }>().recovery_codes }
}
