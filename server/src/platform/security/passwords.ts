import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '../http/errors.ts'
import { maxPasswordHashes, maxQueuedPasswordHashes } from '../limits/limits.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'

// A recommendation of OWASP for argon2id: 19 MiB, two passes, one lane.
const hashCost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const saltBytes = 16
const hashBytes = 32

const hashLimit = new ConcurrencyLimit<'all'>({
  kind: 'passwords',
  total: {
    max: maxPasswordHashes,
    reason: 'passwords',
    createError: (retryAfter) => new AppError('sign_in_busy', {}, { retryAfter }),
  },
  maxQueuedPerKey: maxQueuedPasswordHashes,
  retryAfter: 2,
})

/**
 * Hashes a password as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. Errors: 503 when the queue is full.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await deriveHash(password, { salt, cost: hashCost, tagLength: hashBytes })
  return `$argon2id$v=19$m=${hashCost.memory},t=${hashCost.passes},p=${hashCost.parallelism}$${base64(salt)}$${base64(hash)}`
}

/**
 * Compares a password with a stored hash. Null (no such account) takes the same time and returns false.
 * Errors: 503 when the queue is full.
 */
export async function verifyPassword(password: string, storedHash: string | null): Promise<boolean> {
  const parsedHash = parseHash(storedHash ?? (await getDummyHash()))
  if (parsedHash === null) return false
  const hash = await deriveHash(password, {
    salt: parsedHash.salt,
    cost: parsedHash.cost,
    tagLength: parsedHash.hash.length,
  })
  return timingSafeEqual(hash, parsedHash.hash) && storedHash !== null
}

let dummyHash: Promise<string> | undefined
const getDummyHash = () => (dummyHash ??= hashPassword(randomBytes(16).toString('base64url')))

type Cost = { memory: number; passes: number; parallelism: number }

async function deriveHash(
  password: string,
  { salt, cost, tagLength }: { salt: Buffer; cost: Cost; tagLength: number },
): Promise<Buffer> {
  const derive = () =>
    new Promise<Buffer>((resolve, reject) => {
      const message = Buffer.from(password.normalize('NFC'), 'utf8')
      argon2('argon2id', { message, nonce: salt, tagLength, ...cost }, (error, hash) =>
        error ? reject(error) : resolve(hash),
      )
    })
  return hashLimit.run('all', derive)
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function parseHash(storedHash: string): { cost: Cost; salt: Buffer; hash: Buffer } | null {
  const match = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/.exec(
    storedHash,
  )
  if (match === null) return null
  const [, memory, passes, parallelism, salt = '', hash = ''] = match
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}
