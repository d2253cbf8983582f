import type { FastifyRequest } from 'fastify'
import { BodyBytesLimit } from '../http/body-bytes.ts'
import { IncomingBodies, getAnnouncedBodyBytes } from '../http/incoming-bodies.ts'
import { addressKey } from './address-key.ts'
import { getSlot, holdSlot, releaseSlot } from './admission.slots.ts'
import type { DatabaseLimit } from './database-limit.ts'
import { maxDatabaseQueue, maxDatabaseQueueForPublic } from './limits.ts'
import { createRequestLimits, type RequestClass } from './request-limits.ts'

const probeUrls: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics'])

function getRequestClass({ routeOptions: { url, config } }: FastifyRequest): RequestClass {
  if (probeUrls.has(url)) return 'probes'
  return config.call === undefined || config.call.guard === 'public' ? 'public' : 'authenticating'
}

/** Counts the requests of a process by their class. The methods are in the order of the phases of a request. */
export class Admission {
  readonly #limits = createRequestLimits()
  readonly #incomingBodies = new IncomingBodies()
  readonly #bodyBytes = new BodyBytesLimit()
  readonly #databaseLimit: DatabaseLimit

  constructor(databaseLimit: DatabaseLimit) {
    this.#databaseLimit = databaseLimit
  }

  /** Errors: 503 and 429 when the class of the request, or its address, is at its limit. */
  begin(request: FastifyRequest): void {
    const requestClass = getRequestClass(request)
    if (requestClass !== 'probes')
      this.#databaseLimit.check(requestClass === 'public' ? maxDatabaseQueueForPublic : maxDatabaseQueue)
    // A public request with a body takes its slot after the whole body has arrived.
    if (requestClass === 'public' && getAnnouncedBodyBytes(request) > 0) this.#incomingBodies.begin(request)
    else holdSlot(request, this.#limits[requestClass].acquire(addressKey(request.ip)))
  }

  /**
   * Moves an authenticated request to the limits of its person, before its body is read. Errors: 503 and 429 when these
   * are reached.
   */
  assignToPerson(request: FastifyRequest): void {
    const { identity } = request
    const slot = getSlot(request)
    if (identity === null || slot === null) return
    // If this throws, the request keeps its slot until the refusal is sent.
    const release = this.#limits.people.acquire(String(identity.userId))
    slot.release()
    slot.release = release
    this.#bodyBytes.begin(request, identity.userId)
  }

  /** Errors: 503 and 429 when a public request whose body has arrived gets no slot. */
  endBody(request: FastifyRequest): void {
    if (!this.#incomingBodies.end(request)) return
    this.#databaseLimit.check(maxDatabaseQueueForPublic)
    holdSlot(request, this.#limits.public.acquire(addressKey(request.ip)))
  }

  end(request: FastifyRequest): void {
    this.#incomingBodies.end(request)
    this.#bodyBytes.end(request)
    releaseSlot(request)
  }

  /** The current load by the labels of /metrics: requests by class, incoming public bodies, bytes of bodies. */
  count(): Readonly<Record<string, number>> {
    return {
      probes: this.#limits.probes.inUse,
      public: this.#limits.public.inUse,
      unauthenticated: this.#limits.authenticating.inUse,
      people: this.#limits.people.inUse,
      arrivals: this.#incomingBodies.inUse,
      body_bytes: this.#bodyBytes.inUse,
    }
  }
}
