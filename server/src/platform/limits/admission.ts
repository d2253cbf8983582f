import { Concurrency } from './concurrency.ts'
import {
  maxProbes,
  maxProbesOfAddress,
  maxPublic,
  maxPublicOfAddress,
  maxRequests,
  maxRequestsOfAddress,
  maxRequestsOfPerson,
  maxUnproven,
} from './limits.ts'

const busy = 'The server has all that it can do right now. Try again shortly.'
const ofAddress = 'Too many requests of this address are under way.'

/**
 * What is under way, by who asks, so that none of them takes the room of another: probes, calls of anybody, calls whose
 * token is being looked up, and calls of people.
 */
export class Admission {
  readonly probes = new Concurrency<string>({
    most: maxProbes,
    mostOfOne: maxProbesOfAddress,
    ofOne: { kind: 'probes', text: ofAddress },
    inAll: { kind: 'probes', text: busy },
  })
  readonly public = new Concurrency<string>({
    most: maxPublic,
    mostOfOne: maxPublicOfAddress,
    ofOne: { kind: 'public_of_address', text: ofAddress },
    inAll: { kind: 'public', text: busy },
  })
  readonly unproven = new Concurrency<string>({
    most: maxUnproven,
    mostOfOne: maxRequestsOfAddress,
    ofOne: { kind: 'requests_of_address', text: ofAddress },
    inAll: { kind: 'unproven', text: busy },
  })
  readonly people = new Concurrency<string>({
    most: maxRequests,
    mostOfOne: maxRequestsOfPerson,
    ofOne: { kind: 'requests_of_person', text: 'Too many of your requests are under way.' },
    inAll: { kind: 'requests', text: busy },
  })

  /** How many of each class are under way. */
  inUse(): Record<RequestClass, number> {
    const { probes, public: anybody, unproven, people } = this
    return { probes: probes.inUse, public: anybody.inUse, unproven: unproven.inUse, people: people.inUse }
  }
}

export type RequestClass = 'probes' | 'public' | 'unproven' | 'people'
