/** A failed request to the courier. The message is for an admin and contains no secret. */
export class CourierError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CourierError'
  }
}

/** The courier answered that it does not process the request. */
export class CourierRefusal extends CourierError {}

/** The courier did not answer in time. */
export class CourierTimeout extends CourierError {}
