import type { Reason } from '@karvon/contract/lib/problem.ts'

/**
 * A failed request to a network. `reason` is for an admin and contains no secret.
 * `rate_limited`: the network requests a pause of `seconds`. `sign_in`: it refuses the account. `failed`: any other failure.
 */
export class NetworkError extends Error {
  readonly kind: 'rate_limited' | 'sign_in' | 'failed'
  readonly reason: Reason
  readonly seconds: number
  /** The network answered, but not with the requested data: because a cursor expired, for instance. */
  readonly isRejection: boolean
  /** The network did not answer in time. */
  readonly isTimeout: boolean

  constructor(
    kind: NetworkError['kind'],
    reason: Reason,
    {
      seconds = 0,
      isRejection = false,
      isTimeout = false,
    }: { seconds?: number | undefined; isRejection?: boolean | undefined; isTimeout?: boolean } = {},
  ) {
    super(reason.message)
    this.name = 'NetworkError'
    this.kind = kind
    this.reason = reason
    this.seconds = seconds
    this.isRejection = isRejection
    this.isTimeout = isTimeout
  }
}
