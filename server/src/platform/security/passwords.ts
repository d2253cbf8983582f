import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { maxPasswords, maxPasswordsAwaited } from '../limits/limits.ts'
import { Turns } from '../limits/turns.ts'

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const saltBytes = 16
const hashBytes = 32

const turns = new Turns(
  'passwords',
  maxPasswords,
  maxPasswordsAwaited,
  'Too many people are signing in right now. Try again shortly.',
)

/** A password as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. Errors: 503 while too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, cost, hashBytes)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(hash)}`
}

/**
 * Whether the password is the one behind `stored`. Null (no such account) costs the same and is false.
 * Errors: 503 while too many wait.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const parsed = parse(stored ?? (await nobodysHash()))
  if (parsed === null) return false
  const hash = await derive(password, parsed.salt, parsed.cost, parsed.hash.length)
  return timingSafeEqual(hash, parsed.hash) && stored !== null
}

let nobody: Promise<string> | undefined
const nobodysHash = () => (nobody ??= hashPassword(randomBytes(16).toString('base64url')))

type Cost = { memory: number; passes: number; parallelism: number }

async function derive(password: string, salt: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  await turns.enter()
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const message = Buffer.from(password.normalize('NFC'), 'utf8')
      argon2('argon2id', { message, nonce: salt, tagLength, ...cost }, (error, hash) =>
        error ? reject(error) : resolve(hash),
      )
    })
  } finally {
    turns.leave()
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function parse(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } | null {
  const found = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/.exec(stored)
  if (found === null) return null
  const [, memory, passes, parallelism, salt = '', hash = ''] = found
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}
