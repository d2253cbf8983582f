import type { Reason } from '@karvon/contract/lib/problem.ts'

/** A failed request to the courier. The reason is for an admin and contains no secret. */
export class CourierError extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(reason.message)
    this.name = 'CourierError'
    this.reason = reason
  }
}

/** The courier answered that it does not process the request. */
export class CourierRefusal extends CourierError {}

/** The courier did not answer in time. */
export class CourierTimeout extends CourierError {}
