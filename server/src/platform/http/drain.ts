import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Takes the process out of service before it stops. */
    drain: Drain
  }
}

/** Whether the process is about to stop. */
class Drain {
  #isActive = false

  get isActive(): boolean {
    return this.#isActive
  }

  /**
   * Resolves after `seconds`. From now on /readyz answers 503, so that load balancers send requests elsewhere. Requests
   * that still arrive are answered, and each answer closes its connection.
   */
  async run(seconds: number): Promise<void> {
    this.#isActive = true
    await sleep(seconds * 1000)
  }
}

export function registerDrain(app: FastifyInstance): void {
  const drain = new Drain()
  app.decorate('drain', drain)
  // oxlint-disable-next-line max-params -- the shape of the hook is Fastify's
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (drain.isActive) void reply.header('connection', 'close')
    done(null, payload)
  })
}
