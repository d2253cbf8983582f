import { ConcurrencyLimit } from './concurrency-limit.ts'
import {
  maxAuthenticatingRequests,
  maxAuthenticatingRequestsPerAddress,
  maxProbes,
  maxProbesPerAddress,
  maxPublicRequests,
  maxPublicRequestsPerAddress,
  maxRequests,
  maxRequestsPerPerson,
} from './limits.ts'

const busyText = 'The server has all that it can do right now. Try again shortly.'
const perAddressText = 'Too many requests of this address are under way.'

/**
 * Probes; public calls; requests whose token is being looked up (`authenticating`); requests of people who are known.
 */
export type RequestClass = 'probes' | 'public' | 'authenticating' | 'people'

/** Admission control: one concurrency limit for each class of requests, so that no class takes the room of another. */
export class AdmissionControl implements Record<RequestClass, ConcurrencyLimit<string>> {
  readonly probes = new ConcurrencyLimit<string>({
    max: maxProbes,
    maxPerKey: maxProbesPerAddress,
    perKeyRefusal: { reason: 'probes', text: perAddressText },
    totalRefusal: { reason: 'probes', text: busyText },
  })
  readonly public = new ConcurrencyLimit<string>({
    max: maxPublicRequests,
    maxPerKey: maxPublicRequestsPerAddress,
    perKeyRefusal: { reason: 'public_of_address', text: perAddressText },
    totalRefusal: { reason: 'public', text: busyText },
  })
  readonly authenticating = new ConcurrencyLimit<string>({
    max: maxAuthenticatingRequests,
    maxPerKey: maxAuthenticatingRequestsPerAddress,
    perKeyRefusal: { reason: 'requests_of_address', text: perAddressText },
    totalRefusal: { reason: 'unproven', text: busyText },
  })
  readonly people = new ConcurrencyLimit<string>({
    max: maxRequests,
    maxPerKey: maxRequestsPerPerson,
    perKeyRefusal: { reason: 'requests_of_person', text: 'Too many of your requests are under way.' },
    totalRefusal: { reason: 'requests', text: busyText },
  })

  /** How many requests of each class are in progress, by the label that /metrics has for the class. */
  countByClass(): Record<'probes' | 'public' | 'unproven' | 'people', number> {
    return {
      probes: this.probes.inUse,
      public: this.public.inUse,
      unproven: this.authenticating.inUse,
      people: this.people.inUse,
    }
  }
}
