import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { addressKey } from './address-key.ts'
import { AppError } from './errors.ts'
import {
  maxAddressLength,
  maxAwaitingDatabase,
  maxQueryParameters,
  maxRequests,
  maxRequestsOfAddress,
  maxRequestsOfPerson,
} from './limits.ts'
import { countRefusal, type Refusal } from './refusals.ts'

/** Answered however much is under way: whoever watches over the process must hear of it. */
const probes: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics'])
/** Milliseconds for which a database that let somebody wait in vain is not waited for again. */
const stuckFor = 2000

declare module 'fastify' {
  interface FastifyRequest {
    /** Counted out when the request is over; null where it is not counted. */
    place: Place | null
  }
}

interface Place {
  address: string
  person: number | null
}

/** What is under way on each connection. */
const placesOf = new WeakMap<Socket, Set<Place>>()

/** How many requests are under way, in all, from each address and of each person. */
class Underway {
  #all = 0
  readonly #addresses = new Map<string, number>()
  readonly #people = new Map<number, number>()

  enter(address: string): Place {
    const ofAddress = this.#addresses.get(address) ?? 0
    if (ofAddress >= maxRequestsOfAddress)
      throw refused('requests_of_address', 'Too many requests of this address are under way.')
    if (this.#all >= maxRequests)
      throw refused('requests', 'The server has all that it can do right now. Try again shortly.')
    this.#all += 1
    this.#addresses.set(address, ofAddress + 1)
    return { address, person: null }
  }

  name(place: Place, person: number): void {
    const ofPerson = this.#people.get(person) ?? 0
    if (ofPerson >= maxRequestsOfPerson)
      throw refused('requests_of_person', 'Too many of your requests are under way.')
    this.#people.set(person, ofPerson + 1)
    place.person = person
  }

  leave({ address, person }: Place): void {
    this.#all -= 1
    lessen(this.#addresses, address)
    if (person !== null) lessen(this.#people, person)
  }
}

function lessen<Key>(counts: Map<Key, number>, key: Key): void {
  const left = (counts.get(key) ?? 0) - 1
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}

/** Seconds. */
const retryAfter = 1

function refused(why: Refusal, detail: string): AppError {
  countRefusal(why)
  const code = why === 'requests' || why === 'database' ? 'unavailable' : 'too_many_requests'
  return new AppError(code, detail, { retryAfter })
}

/**
 * Refuses what would come too late, before anything is done for it: 503 where the process or its database has enough
 * to do, 429 where one address or one person has. Also an address that is too long (414) or holds too many
 * parameters (400). A request that was given up counts until its connection is gone.
 */
export function registerOverload(app: FastifyInstance, pool: pg.Pool): void {
  const underway = new Underway()
  let stuckUntil = 0

  app.decorateRequest('place', null)
  app.addHook('onRequest', (request, _reply, done) => {
    refuseEndless(request.raw.url ?? '')
    if (probes.has(request.routeOptions.url)) return done()
    const waiting = pool.waitingCount
    if (waiting >= maxAwaitingDatabase || (waiting > 0 && performance.now() < stuckUntil))
      throw refused('database', 'The database has all that it can do right now. Try again shortly.')
    takePlace(request, underway)
    done()
  })
  // After the guard, which says who it is, and before a body is read.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { place, identity } = request
    // Who went away while the guard looked is counted out already, and would stay counted as a person.
    const here = place !== null && placesOf.get(request.raw.socket)?.has(place) === true
    if (here && identity !== null) underway.name(place, identity.userId)
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    leavePlace(request, underway)
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
function takePlace(request: FastifyRequest, underway: Underway): void {
  const place = underway.enter(addressKey(request.ip))
  request.place = place
  const { socket } = request.raw
  const known = placesOf.get(socket)
  if (known !== undefined) return void known.add(place)
  const places = new Set([place])
  placesOf.set(socket, places)
  socket.once('close', () => {
    for (const each of places) underway.leave(each)
    places.clear()
  })
}

function leavePlace({ place, raw: { socket } }: FastifyRequest, underway: Underway): void {
  if (place !== null && placesOf.get(socket)?.delete(place)) underway.leave(place)
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
