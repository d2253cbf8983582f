/**
 * A failed request to a network. `message` is for an admin and contains no secret.
 * `rate_limited`: the network requests a pause of `seconds`. `sign_in`: it refuses the account. `failed`: any other failure.
 */
export class NetworkError extends Error {
  readonly kind: 'rate_limited' | 'sign_in' | 'failed'
  readonly seconds: number
  /** The network answered, but not with the requested data: because a cursor expired, for instance. */
  readonly isRejection: boolean
  /** The network did not answer in time. */
  readonly isTimeout: boolean

  constructor(
    kind: NetworkError['kind'],
    message: string,
    {
      seconds = 0,
      isRejection = false,
      isTimeout = false,
    }: { seconds?: number | undefined; isRejection?: boolean | undefined; isTimeout?: boolean } = {},
  ) {
    super(message)
    this.name = 'NetworkError'
    this.kind = kind
    this.seconds = seconds
    this.isRejection = isRejection
    this.isTimeout = isTimeout
  }
}
