import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import type { PasswordCost } from '../../config.passwords.ts'
import { AppError } from '../http/errors.ts'
import { maxPasswordHashes, maxQueuedPasswordHashes } from '../limits/limits.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import { openOnce } from '../open-once.ts'

const saltBytes = 16
const hashBytes = 32

/** Hashes and verifies passwords with argon2id, a few at a time. Errors of its methods: 503 when the queue is full. */
export class PasswordHasher {
  readonly #cost: PasswordCost
  readonly #limit = new ConcurrencyLimit<'all'>({
    kind: 'passwords',
    total: {
      max: maxPasswordHashes,
      reason: 'passwords',
      createError: (retryAfter) => new AppError('sign_in_busy', {}, { retryAfter }),
    },
    maxQueuedPerKey: maxQueuedPasswordHashes,
    retryAfter: 2,
  })
  /** The queue may be full. Then the next check tries again. */
  readonly #getDummyHash = openOnce(() => this.hash(randomBytes(16).toString('base64url')))

  constructor(cost: PasswordCost) {
    this.#cost = cost
  }

  /** Hashes a password as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
  async hash(password: string): Promise<string> {
    const { memory, passes, parallelism } = this.#cost
    const salt = randomBytes(saltBytes)
    const hash = await this.#deriveHash(password, { salt, cost: this.#cost, tagLength: hashBytes })
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`
  }

  /** Compares a password with a stored hash. Null (no such account) takes the same time and returns false. */
  async verify(password: string, storedHash: string | null): Promise<boolean> {
    const parsedHash = parseHash(storedHash ?? (await this.#getDummyHash()))
    if (parsedHash === null) return false
    const hash = await this.#deriveHash(password, {
      salt: parsedHash.salt,
      cost: parsedHash.cost,
      tagLength: parsedHash.hash.length,
    })
    return timingSafeEqual(hash, parsedHash.hash) && storedHash !== null
  }

  async #deriveHash(
    password: string,
    { salt, cost, tagLength }: { salt: Buffer; cost: PasswordCost; tagLength: number },
  ): Promise<Buffer> {
    const derive = () =>
      new Promise<Buffer>((resolve, reject) => {
        const message = Buffer.from(password.normalize('NFC'), 'utf8')
        argon2('argon2id', { message, nonce: salt, tagLength, ...cost }, (error, hash) =>
          error ? reject(error) : resolve(hash),
        )
      })
    return this.#limit.run('all', derive)
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function parseHash(storedHash: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } | null {
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
