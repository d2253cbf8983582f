import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { addressKey } from './address-key.ts'
import { Admission, type RequestClass } from './admission.ts'
import { Arrivals, bodyBytesOf } from '../http/arrivals.ts'
import { BodyBytes } from '../http/body-bytes.ts'
import { refused } from './concurrency.ts'
import type { Connections } from '../http/connections.ts'
import { AppError } from '../http/errors.ts'
import {
  maxAddressLength,
  maxAwaitingDatabase,
  maxAwaitingDatabasePublic,
  maxPipelined,
  maxQueryParameters,
  maxRefusalsOfAddress,
} from './limits.ts'
import { Rate } from './rate.ts'
import { countRefusal, type Refusal } from '../http/refusals.ts'

const probes: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics'])
/** Milliseconds for which a database that let somebody wait in vain is not waited for again. */
const stuckFor = 2000

declare module 'fastify' {
  interface FastifyInstance {
    /** How many requests of each class are under way, public ones that are on their way, and bytes of people's bodies. */
    underWay: () => Record<RequestClass | 'arrivals' | 'body_bytes', number>
  }
  interface FastifyRequest {
    place: Place | null
  }
}

interface Place {
  of: RequestClass
  key: string
}

/** Requests of each connection whose answers are not sent yet, refusals included. */
const unansweredOn = new WeakMap<Socket, number>()
/** What is under way on each connection. */
const placesOf = new WeakMap<Socket, Set<Place>>()

const classOf = ({ routeOptions: { url, config } }: FastifyRequest): RequestClass => {
  if (probes.has(url)) return 'probes'
  return config.call === undefined || config.call.guard === 'public' ? 'public' : 'unproven'
}

/**
 * Refuses what would come too late, before anything is done for it: 503 where the process or its database has enough
 * to do, 429 where one address or one person has. Each class of callers has room of its own. Also an address that is
 * too long (414) or holds too many parameters (400). A request that was given up counts until its connection is gone.
 */
export function registerOverload(app: FastifyInstance, pool: pg.Pool, connections: Connections): void {
  const admission = new Admission()
  const arrivals = new Arrivals()
  const bodyBytes = new BodyBytes()
  app.decorate('underWay', () => ({
    ...admission.inUse(),
    arrivals: arrivals.inUse,
    body_bytes: bodyBytes.inUse,
  }))
  let stuckUntil = 0

  const refuseStuck = (most: number) => {
    const waiting = pool.waitingCount
    if (waiting >= most || (waiting > 0 && performance.now() < stuckUntil))
      throw refused(
        'unavailable',
        'database',
        'The database has all that it can do right now. Try again shortly.',
      )
  }

  app.decorateRequest('place', null)
  /** Errors: 503 and 429 where the class of the request, or its address, has enough under way. */
  const admit = (request: FastifyRequest) => {
    const of = classOf(request)
    if (of !== 'probes') refuseStuck(of === 'public' ? maxAwaitingDatabasePublic : maxAwaitingDatabase)
    // A public request with a body counts once it is whole.
    if (of === 'public' && bodyBytesOf(request) > 0) arrivals.begin(request)
    else takePlace(request, admission, { of, key: addressKey(request.ip) })
  }
  const refusalsOfAddress = new Rate(maxRefusalsOfAddress)
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    // Of a pipeline that was cut off; nobody hears an answer.
    if (socket.destroyed) return void reply.hijack()
    const cutOff = (why: Refusal) => {
      countRefusal(why)
      connections.exclude(socket)
      reply.hijack()
    }
    // A signed-in person may sit behind the same address: who sends a token is heard.
    if (request.headers.authorization === undefined && connections.isExcluded(socket)) {
      connections.cutOff(socket)
      return void reply.hijack()
    }
    const unanswered = unansweredOn.get(socket) ?? 0
    if (unanswered >= maxPipelined) return cutOff('pipelined')
    unansweredOn.set(socket, unanswered + 1)
    refuseEndless(request.raw.url ?? '')
    try {
      admit(request)
    } catch (error) {
      // A refusal costs as much as an answer: whoever asks on and on would take all the time there is.
      if (refusalsOfAddress.take(addressKey(request.ip)) > 0) return cutOff('refusals_of_address')
      throw error
    }
    done()
  })
  // After the guard, which says who it is, and before a body is read.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { identity } = request
    if (identity !== null && isHere(request)) {
      movePlace(request, admission, { of: 'people', key: String(identity.userId) })
      bodyBytes.begin(request, identity.userId)
    }
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    if (arrivals.end(request)) {
      refuseStuck(maxAwaitingDatabasePublic)
      takePlace(request, admission, { of: 'public', key: addressKey(request.ip) })
    }
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    const { socket } = request.raw
    unansweredOn.set(socket, (unansweredOn.get(socket) ?? 1) - 1)
    arrivals.end(request)
    bodyBytes.end(request)
    leavePlace(request, admission)
    done()
  })
  app.addHook('onError', async (_request, _reply, error) => {
    if (error.message.startsWith('timeout exceeded when trying to connect'))
      stuckUntil = performance.now() + stuckFor
  })
}

/**
 * Takes a place until the answer is over. One that never has its turn on the connection (a later request of a
 * pipeline) is over with the connection.
 */
function takePlace(request: FastifyRequest, admission: Admission, place: Place): void {
  const { socket } = request.raw
  const places = placesOn(socket, admission)
  admission[place.of].enter(place.key)
  if (socket.destroyed) return admission[place.of].leave(place.key)
  request.place = place
  places.add(place)
}

function placesOn(socket: Socket, admission: Admission): Set<Place> {
  const known = placesOf.get(socket)
  if (known !== undefined) return known
  const places = new Set<Place>()
  placesOf.set(socket, places)
  socket.once('close', () => {
    for (const { of, key } of places) admission[of].leave(key)
    places.clear()
  })
  return places
}

/** Who went away while the guard looked is counted out already. */
const isHere = ({ place, raw: { socket } }: FastifyRequest): boolean =>
  place !== null && placesOf.get(socket)?.has(place) === true

/** Counts a request in another class. Where there is no room it stays in its own until its answer is over. */
function movePlace(request: FastifyRequest, admission: Admission, to: Place): void {
  const { place } = request
  if (place === null) return
  admission[to.of].enter(to.key)
  admission[place.of].leave(place.key)
  Object.assign(place, to)
}

function leavePlace({ place, raw: { socket } }: FastifyRequest, admission: Admission): void {
  if (place !== null && placesOf.get(socket)?.delete(place)) admission[place.of].leave(place.key)
}

function refuseEndless(url: string): void {
  if (url.length > maxAddressLength)
    throw new AppError('address_too_long', `The address has more than ${maxAddressLength} characters.`)
  let parameters = 0
  for (let at = url.indexOf('?'); at !== -1; at = url.indexOf('&', at + 1)) {
    parameters += 1
    if (parameters > maxQueryParameters)
      throw new AppError('malformed', `The address has more than ${maxQueryParameters} parameters.`)
  }
}
