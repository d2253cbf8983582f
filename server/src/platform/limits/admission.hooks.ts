import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { countWaitingCallers } from '../database/pool.ts'
import { addressKey } from './address-key.ts'
import { IncomingBodies, getAnnouncedBodyBytes } from '../http/incoming-bodies.ts'
import { BodyBytesLimit } from '../http/body-bytes.ts'
import { countRefusalError, type Release } from './concurrency-limit.ts'
import type { ConnectionControl } from '../http/connections.ts'
import { AppError } from '../http/errors.ts'
import { listOpenAnswers } from '../http/open-answers.ts'
import {
  maxRequestUrlLength,
  maxDatabaseQueue,
  maxDatabaseQueueForPublic,
  maxPipelinedRequests,
  maxQueryParameters,
  maxRefusalsPerAddress,
} from './limits.ts'
import { RateLimiter } from './rate-limiter.ts'
import { createRequestLimits, type RequestClass } from './request-limits.ts'
import { countRefusal, type RefusalReason } from '../http/refusals.ts'

const probeUrls: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics'])
/** Milliseconds after a timeout of the pool in which no request may join a queue for a connection. */
const databaseBusyPeriod = 2000

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * The current load by the labels of /metrics: requests by class, incoming public bodies, bytes of bodies.
     */
    countRequestsInProgress: () => Readonly<Record<string, number>>
    /**
     * Closes the connection of a request, and answers false, if its address is blocked or the connection has too many
     * unanswered requests.
     */
    admitOnConnection: (request: FastifyRequest, reply: FastifyReply) => boolean
  }
  interface FastifyRequest {
    admissionSlot: AdmissionSlot | null
  }
}

/** One request's slot in the limit of its class. */
interface AdmissionSlot {
  release: Release
}

const slotsBySocket = new WeakMap<Socket, Set<AdmissionSlot>>()

const getRequestClass = ({ routeOptions: { url, config } }: FastifyRequest): RequestClass => {
  if (probeUrls.has(url)) return 'probes'
  return config.call === undefined || config.call.guard === 'public' ? 'public' : 'authenticating'
}

/**
 * Admission control (load shedding): refuses a request before any work, with 503 when the process or its database is
 * busy, and with 429 when one address or one person has too many requests. Each class of requests has its own limit.
 * Also refuses a URL that is too long (414) or has too many parameters (400).
 */
export function registerAdmissionControl(
  app: FastifyInstance,
  pool: pg.Pool,
  connections: ConnectionControl,
): void {
  const limits = createRequestLimits()
  const incomingBodies = new IncomingBodies()
  const bodyBytes = new BodyBytesLimit()
  app.decorate('countRequestsInProgress', () => ({
    probes: limits.probes.inUse,
    public: limits.public.inUse,
    unauthenticated: limits.authenticating.inUse,
    people: limits.people.inUse,
    arrivals: incomingBodies.inUse,
    body_bytes: bodyBytes.inUse,
  }))
  app.decorate('isDatabaseBusy', () => countWaitingCallers(pool) > 0)
  const databaseLimit = createDatabaseLimit(pool)

  app.decorateRequest('admissionSlot', null)
  /** Errors: 503 and 429 when the class of the request, or its address, is at its limit. */
  const admitRequest = (request: FastifyRequest) => {
    const requestClass = getRequestClass(request)
    if (requestClass !== 'probes')
      databaseLimit.check(requestClass === 'public' ? maxDatabaseQueueForPublic : maxDatabaseQueue)
    // A public request with a body takes its slot after the whole body has arrived.
    if (requestClass === 'public' && getAnnouncedBodyBytes(request) > 0) incomingBodies.begin(request)
    else holdSlot(request, limits[requestClass].acquire(addressKey(request.ip)))
  }
  app.decorate('admitOnConnection', (request, reply) => admitOnConnection(connections, request, reply))
  const refusalsByAddress = new RateLimiter(maxRefusalsPerAddress)
  app.addHook('onRequest', (request, reply, done) => {
    if (!app.admitOnConnection(request, reply)) return
    refuseLongUrl(request.raw.url ?? '')
    try {
      admitRequest(request)
    } catch (error) {
      // A refusal costs as much as an answer, so too many refusals block the address.
      if (refusalsByAddress.consume(addressKey(request.ip)) > 0)
        return refuseAddress(connections, { request, reply, reason: 'refusals_of_address' })
      throw error
    }
    done()
  })
  // After the guard has set the identity, and before the body is read.
  // oxlint-disable-next-line max-params -- the shape of the hook is Fastify's
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { identity } = request
    const slot = getSlot(request)
    if (identity !== null && slot !== null) {
      // If this throws, the request keeps its slot until the refusal is sent.
      const release = limits.people.acquire(String(identity.userId))
      slot.release()
      slot.release = release
      bodyBytes.begin(request, identity.userId)
    }
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    if (incomingBodies.end(request)) {
      databaseLimit.check(maxDatabaseQueueForPublic)
      holdSlot(request, limits.public.acquire(addressKey(request.ip)))
    }
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    incomingBodies.end(request)
    bodyBytes.end(request)
    releaseSlot(request)
    done()
  })
  app.addHook('onError', async (_request, _reply, error) => {
    if (error.message.startsWith('timeout exceeded when trying to connect')) databaseLimit.reportTimeout()
  })
}

/** Limits the queue for connections of the database. After a timeout of the pool, the queue takes no more for a while. */
function createDatabaseLimit(pool: pg.Pool) {
  let busyUntil = 0
  return {
    /** Errors: 503 when `maxQueue` callers wait, or one after a timeout. */
    check(maxQueue: number): void {
      const waitingCount = countWaitingCallers(pool)
      if (waitingCount >= maxQueue || (waitingCount > 0 && performance.now() < busyUntil))
        throw countRefusalError('database', new AppError('database_overloaded', {}, { retryAfter: 1 }))
    },
    reportTimeout(): void {
      busyUntil = performance.now() + databaseBusyPeriod
    },
  }
}

function admitOnConnection(
  connections: ConnectionControl,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { socket } = request.raw
  // The connection closed before this pipelined request, or the client has reset it. Nobody reads an answer.
  if (socket.destroyed || socket.remoteAddress === undefined) {
    socket.destroy()
    reply.hijack()
    return false
  }
  // A signed-in person may share the blocked address, so requests with a token pass.
  if (request.headers.authorization === undefined && connections.isBlocked(socket)) {
    connections.closeNow(socket)
    reply.hijack()
    return false
  }
  if (listOpenAnswers(socket).length <= maxPipelinedRequests) return true
  refuseAddress(connections, { request, reply, reason: 'pipelined' })
  return false
}

/** Closes the connection of a request without an answer, and blocks its address. */
function refuseAddress(
  connections: ConnectionControl,
  { request, reply, reason }: { request: FastifyRequest; reply: FastifyReply; reason: RefusalReason },
): void {
  countRefusal(reason)
  connections.blockAddress(request.raw.socket)
  reply.hijack()
}

/**
 * Holds a slot until the answer is sent or the connection closes: a pipelined request may never get an answer.
 */
function holdSlot(request: FastifyRequest, release: Release): void {
  const { socket } = request.raw
  if (socket.destroyed) return release()
  const slot = { release }
  request.admissionSlot = slot
  getSlotsOf(socket).add(slot)
}

function getSlotsOf(socket: Socket): Set<AdmissionSlot> {
  const storedSlots = slotsBySocket.get(socket)
  if (storedSlots !== undefined) return storedSlots
  const slots = new Set<AdmissionSlot>()
  slotsBySocket.set(socket, slots)
  socket.once('close', () => {
    for (const { release } of slots) release()
    slots.clear()
  })
  return slots
}

/** Null when the client disconnected during the guard, which freed the slot. */
function getSlot({ admissionSlot: slot, raw: { socket } }: FastifyRequest): AdmissionSlot | null {
  return slot !== null && slotsBySocket.get(socket)?.has(slot) === true ? slot : null
}

function releaseSlot({ admissionSlot: slot, raw: { socket } }: FastifyRequest): void {
  if (slot === null) return
  slotsBySocket.get(socket)?.delete(slot)
  slot.release()
}

function refuseLongUrl(url: string): void {
  if (url.length > maxRequestUrlLength) throw new AppError('address_too_long', { max: maxRequestUrlLength })
  let parameters = 0
  for (let at = url.indexOf('?'); at !== -1; at = url.indexOf('&', at + 1)) {
    parameters += 1
    if (parameters > maxQueryParameters)
      throw new AppError('too_many_parameters', { max: maxQueryParameters })
  }
}
