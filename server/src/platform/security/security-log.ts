import type { FastifyBaseLogger } from 'fastify'
import { addressKey, cutAddress } from '../limits/address-key.ts'
import { RateLimiter } from '../limits/rate-limiter.ts'

/** Events that help to detect attacks. */
export type SecurityEvent =
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_in_locked_out'
  /** A correct password without the code. */
  | 'second_factor_required'
  | 'second_factor_failed'
  | 'reauthentication_failed'
  | 'sign_out'
  | 'sessions_ended'
  | 'forbidden'

/** Lines of one event from one network. The next line has the number of lines that were omitted. */
const maxLinesPerMinute = 30

/**
 * Writes security events into the log of the process, one line each, with the field `security`. A line never has a
 * secret or an unknown username, which may be a password in the wrong field.
 */
export class SecurityLog {
  readonly #log: FastifyBaseLogger
  readonly #rateLimiter = new RateLimiter(maxLinesPerMinute)
  #omittedCount = 0

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  write(event: SecurityEvent, address: string, details: Record<string, unknown> = {}): void {
    const network = addressKey(address)
    if (this.#rateLimiter.consume(`${event} ${network}`) > 0) {
      this.#omittedCount += 1
      return
    }
    const omittedCount = this.#omittedCount
    this.#omittedCount = 0
    this.#log.info(
      {
        security: event,
        address: cutAddress(address),
        ...details,
        ...(omittedCount > 0 && { left_out: omittedCount }),
      },
      'Security',
    )
  }
}
