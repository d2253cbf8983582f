/** Why the courier gave nothing; the message is for an admin and holds no secret. */
export class CourierError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CourierError'
  }
}
