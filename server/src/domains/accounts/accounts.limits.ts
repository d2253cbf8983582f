import { hash } from 'node:crypto'
import type pg from 'pg'
import { addressKey } from '../../platform/limits/address-key.ts'
import { giveTryBack, takeTry } from '../../platform/limits/tries.ts'

/** Tries that cost no wait yet; each further one waits longer, until an hour has passed without any. */
const free = { registrations: 5, asked: 10, askedOfOne: 3, links: 20 } as const

/**
 * Registered accounts that no admin has looked at yet, at the most: from one network, from its neighbours (one machine may
 * have all of a /48 or a /24), and in all.
 */
export const mostWaiting = { fromAddress: 10, fromNeighbours: 40, inAll: 200 } as const

/** Days that a registered account waits for an admin before it goes away again. */
export const waitsFor = 30

/** Mails with a link that one person is sent in an hour at the most; further ones are left out without a word. */
export const mostMailsAnHour = 5

/** Minutes for which a mailed link is good. */
export const linkMinutes = 60

/** Errors: 429. Each try counts, since each could tell whether a username is taken. */
export const takeRegistration = (pool: pg.Pool, address: string): Promise<void> =>
  takeTry(pool, `register:${addressKey(address)}`, free.registrations)

/** Holds back who asks for links, by where they are and by whom they ask for, known here or not. Errors: 429. */
export async function takeAsked(pool: pg.Pool, email: string, address: string): Promise<void> {
  await takeTry(pool, `reset:${addressKey(address)}`, free.asked)
  // By both: others who ask for somebody's link do not keep them from theirs.
  await takeTry(
    pool,
    `reset-of:${hash('sha256', email.toLowerCase())}@${addressKey(address)}`,
    free.askedOfOne,
  )
}

const linkKey = (address: string) => `reset-link:${addressKey(address)}`

/** Errors: 429. */
export const takeLinkTry = (pool: pg.Pool, address: string): Promise<void> =>
  takeTry(pool, linkKey(address), free.links)

/** After a link that was good. */
export const giveLinkTryBack = (pool: pg.Pool, address: string): Promise<void> =>
  giveTryBack(pool, linkKey(address), free.links)
