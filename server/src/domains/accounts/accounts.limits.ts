import { hash } from 'node:crypto'
import type pg from 'pg'
import { addressKey } from '../../platform/limits/address-key.ts'
import { countAttempt, countAttempts, refundAttempt } from '../../platform/limits/attempt-limiter.ts'

/** Attempts without a wait in an hour. Each further attempt waits longer. */
const freeAttempts = {
  registrations: 5,
  resetRequests: 10,
  resetRequestsPerEmail: 3,
  resetLinks: 20,
} as const

/**
 * Maximum numbers of registered accounts that wait for an admin: from one network address, from its /24 or /48 (one
 * machine may have all of that), and in total.
 */
export const maxWaitingAccounts = { perAddress: 10, perNeighbourhood: 40, total: 200 } as const

/** Days until a registered account that no admin activated is deleted. */
export const maxWaitingDays = 30

/** Maximum number of reset mails to one person in an hour. Further requests send no mail and get the same answer. */
export const maxResetMailsPerHour = 5

/** Minutes until a mailed link expires. */
export const resetLinkMinutes = 60

/** Counts a registration, successful or not, since each one reveals whether a username is taken. Errors: 429. */
export const countRegistrationAttempt = (pool: pg.Pool, address: string): Promise<void> =>
  countAttempt(pool, {
    key: `register:${addressKey(address)}`,
    maxFreeFailures: freeAttempts.registrations,
  })

/** Limits requests for links by network address, and by email and network address. The email may be unknown. Errors: 429. */
export const countResetRequest = (pool: pg.Pool, email: string, address: string): Promise<void> =>
  countAttempts(pool, [
    { key: `reset:${addressKey(address)}`, maxFreeFailures: freeAttempts.resetRequests },
    // The key has both, so that requests of other people for the same email do not block its owner.
    {
      key: `reset-of:${hash('sha256', email.toLowerCase())}@${addressKey(address)}`,
      maxFreeFailures: freeAttempts.resetRequestsPerEmail,
    },
  ])

const resetLinkKey = (address: string) => `reset-link:${addressKey(address)}`

/** Errors: 429. */
export const countResetLinkAttempt = (pool: pg.Pool, address: string): Promise<void> =>
  countAttempt(pool, { key: resetLinkKey(address), maxFreeFailures: freeAttempts.resetLinks })

/** Call this after a valid link. */
export const refundResetLinkAttempt = (pool: pg.Pool, address: string): Promise<void> =>
  refundAttempt(pool, resetLinkKey(address))
