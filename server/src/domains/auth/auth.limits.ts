import type pg from 'pg'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'
import { buildQueueOptions } from '../../platform/http/connection-end.ts'
import { AppError } from '../../platform/http/errors.ts'
import { addressKey } from '../../platform/limits/address-key.ts'
import {
  clearAttempts,
  countAttempt,
  countAttempts,
  refundAttempt,
  type AttemptKey,
} from '../../platform/limits/attempt-limiter.ts'
import { ConcurrencyLimit } from '../../platform/limits/concurrency-limit.ts'
import { maxPublicRequestsPerAddress, maxSignInsPerAddress } from '../../platform/limits/limits.ts'
import { normalizeSignInName } from '../../platform/security/usernames.ts'
import { findDevices } from './auth.devices.queries.ts'
import { deleteAttempts } from './auth.limits.queries.ts'

/**
 * Failed attempts without a wait. `account`: for one account from one network or one device. `everywhere`: for one
 * account from all networks together, against distributed guessing. `address`: from one network for all accounts, since
 * a whole office may share the address.
 */
const freeAttempts = { account: 5, everywhere: 100, address: 50 } as const

const signInLimit = new ConcurrencyLimit<string>({
  perKey: {
    max: maxSignInsPerAddress,
    reason: 'public_of_address',
    createError: (retryAfter) => new AppError('address_busy', {}, { retryAfter }),
  },
  maxQueuedPerKey: maxPublicRequestsPerAddress,
})

/**
 * Runs a sign-in after the earlier ones of its address. An attempt counts as a failure until it ends, so an office whose people
 * sign in at once would be refused as one that guesses passwords. Errors: 429.
 */
export const runSignIn = <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> =>
  signInLimit.run(addressKey(request.ip), work, buildQueueOptions(request))

/** A sign-in. `device` is the hash of a device that the account signed in from before; null for any other device. */
export interface SignInAttempt {
  username: string
  address: string
  device: Buffer | null
}

const deviceKey = (hash: Buffer) => `device:${hash.toString('base64url')}`

/** A known device has a counter of its own, so that wrong passwords of other people do not block its owner. */
function getAttemptKeys({ username, address, device }: SignInAttempt): AttemptKey[] {
  if (device !== null) return [{ key: deviceKey(device), maxFreeFailures: freeAttempts.account }]
  const [name, network] = [normalizeSignInName(username), addressKey(address)]
  return [
    { key: `address:${network}`, maxFreeFailures: freeAttempts.address },
    { key: `account:${name}@${network}`, maxFreeFailures: freeAttempts.account },
    { key: `account:${name}`, maxFreeFailures: freeAttempts.everywhere },
  ]
}

/** Counts a sign-in, whether or not the account exists. Errors: 429. */
export const countSignInAttempt = (pool: pg.Pool, attempt: SignInAttempt): Promise<void> =>
  countAttempts(pool, getAttemptKeys(attempt))

/** Call this after a success. Clears the counters of the account at this network or device, and refunds shared counters. */
export async function clearSignInAttempts(pool: pg.Pool, attempt: SignInAttempt): Promise<void> {
  for (const { key, maxFreeFailures } of getAttemptKeys(attempt)) {
    if (maxFreeFailures === freeAttempts.account) await clearAttempts(pool, key)
    else await refundAttempt(pool, key)
  }
}

/** Call this after a correct password that still needs the code of the second factor. */
export async function refundSignInAttempt(pool: pg.Pool, attempt: SignInAttempt): Promise<void> {
  for (const { key } of getAttemptKeys(attempt)) await refundAttempt(pool, key)
}

// The key is the session, so that failed sign-ins of other people do not block reauthentication, and vice versa.
const passwordKey = (sessionId: number) => `proof:${sessionId}`

/** Counts an attempt at the password of a session's person. Errors: 429. */
export const countPasswordAttempt = (pool: pg.Pool, sessionId: number): Promise<void> =>
  countAttempt(pool, { key: passwordKey(sessionId), maxFreeFailures: freeAttempts.account })

/** Call this after a correct password. */
export const clearPasswordAttempts = (pool: pg.Pool, sessionId: number): Promise<void> =>
  clearAttempts(pool, passwordKey(sessionId))

// This counter is separate: a correct password clears the counter of the account and must not allow more guesses of codes.
const codeKey = (userId: number) => `second-factor:${userId}`

/** Counts an attempt at a code of a person's second factor, at every call that needs one. Errors: 429. */
export const countCodeAttempt = (pool: pg.Pool, userId: number): Promise<void> =>
  countAttempt(pool, { key: codeKey(userId), maxFreeFailures: freeAttempts.account })

/** Call this after a correct code. */
export const clearCodeAttempts = (pool: pg.Pool, userId: number): Promise<void> =>
  clearAttempts(pool, codeKey(userId))

/** Clears all counters of a person, also those of known devices, so that the person can sign in at once. */
export async function clearAllAttempts(db: Db, userId: number, username: string): Promise<void> {
  const devices = await findDevices(db, userId)
  await deleteAttempts(db, {
    account: `account:${normalizeSignInName(username)}`,
    keys: [codeKey(userId), ...devices.map(deviceKey)],
  })
}
