import type { FastifyBaseLogger } from 'fastify'
import { addressKey } from '../limits/address-key.ts'
import { Rate } from '../limits/rate.ts'

/** What a person or a program can do that somebody who looks for attacks wants to see. */
export type SecurityEvent =
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_in_locked_out'
  | 'second_factor_failed'
  | 'proof_failed'
  | 'sign_out'
  | 'sessions_ended'
  | 'forbidden'

/** Lines a minute of one event from one network; what is beyond them is counted in the next line. */
const most = 30

/**
 * Writes what concerns security into the log of the process, one line an event, by its field `security`. It holds no secret,
 * and no name that was typed and is nobody's: that may be a password in the wrong field.
 */
export class SecurityLog {
  readonly #log: FastifyBaseLogger
  readonly #rate = new Rate(most)
  #left = 0

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  write(event: SecurityEvent, address: string, details: Record<string, unknown> = {}): void {
    const network = addressKey(address)
    if (this.#rate.take(`${event} ${network}`) > 0) {
      this.#left += 1
      return
    }
    const left = this.#left
    this.#left = 0
    this.#log.info({ security: event, address, ...details, ...(left > 0 && { left_out: left }) }, 'Security')
  }
}
