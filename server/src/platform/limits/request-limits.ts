import { AppError } from '../http/errors.ts'
import { ConcurrencyLimit, getThird } from './concurrency-limit.ts'
import {
  maxAuthenticatingRequests,
  maxAuthenticatingRequestsPerAddress,
  maxProbes,
  maxProbesPerAddress,
  maxPublicRequests,
  maxPublicRequestsPerAddress,
  maxQueuedRequestsPerPerson,
  maxRequests,
  maxRequestsPerPerson,
  maxRunningRequestsPerPerson,
} from './limits.ts'

const createBusyError = (retryAfter: number) => new AppError('server_busy', {}, { retryAfter })
const createAddressError = (retryAfter: number) => new AppError('address_busy', {}, { retryAfter })
const createPersonError = (retryAfter: number) => new AppError('person_busy', {}, { retryAfter })

/**
 * `authenticating`: requests whose token is being looked up. `people`: requests of authenticated people.
 */
export type RequestClass = 'probes' | 'public' | 'authenticating' | 'people'

/**
 * One limit for each class of requests, so that no class uses the capacity of another. The key is the person for
 * `people`, else the address.
 */
export const createRequestLimits = (): Record<RequestClass, ConcurrencyLimit<string>> => ({
  probes: new ConcurrencyLimit({
    perKey: { max: maxProbesPerAddress, reason: 'probes', createError: createAddressError },
    total: { max: maxProbes, reason: 'probes', createError: createBusyError },
  }),
  public: new ConcurrencyLimit({
    perKey: {
      max: maxPublicRequestsPerAddress,
      reason: 'public_of_address',
      createError: createAddressError,
    },
    total: { max: maxPublicRequests, reason: 'public', createError: createBusyError },
  }),
  authenticating: new ConcurrencyLimit({
    perKey: {
      max: maxAuthenticatingRequestsPerAddress,
      reason: 'requests_of_address',
      createError: createAddressError,
    },
    total: { max: maxAuthenticatingRequests, reason: 'unauthenticated', createError: createBusyError },
  }),
  people: new ConcurrencyLimit({
    perKey: {
      max: maxRequestsPerPerson,
      getMax: getThird,
      reason: 'requests_of_person',
      createError: createPersonError,
    },
    total: { max: maxRequests, reason: 'requests', createError: createBusyError },
  }),
})

/**
 * Runs a few requests of a person at once and queues the others, so that one person cannot use all connections of the
 * database. While requests queue for a connection, only one request of each person runs.
 */
export const createRunningRequestLimit = (isDatabaseBusy: () => boolean): ConcurrencyLimit<number> =>
  new ConcurrencyLimit({
    perKey: {
      max: maxRunningRequestsPerPerson,
      getMax: () => (isDatabaseBusy() ? 1 : maxRunningRequestsPerPerson),
      reason: 'tasks_of_person',
      createError: createPersonError,
    },
    maxQueuedPerKey: maxQueuedRequestsPerPerson,
  })
