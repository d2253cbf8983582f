import { expect, test, vi } from 'vitest'
import { maxPasswordHashes, maxQueuedPasswordHashes } from '../limits/limits.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import { passwordCost } from '../../config.passwords.ts'
import { PasswordHasher } from './passwords.ts'

const password = 'parol-шахнозы'
const passwords = new PasswordHasher(passwordCost)

test('a hash has the recommended cost, and verifies its own password alone, in any Unicode form', async () => {
  const hash = await passwords.hash('parol-й')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await passwords.verify('parol-й'.normalize('NFD'), hash)).toBe(true)
  expect(await passwords.verify('parol-и', hash)).toBe(false)
})

test('a hash of another cost is still verified', async () => {
  const hash = await new PasswordHasher({ memory: 64, passes: 1, parallelism: 2 }).hash(password)
  expect(hash).toContain('$m=64,t=1,p=2$')
  expect(await passwords.verify(password, hash)).toBe(true)
  expect(await passwords.verify('x', hash)).toBe(false)
})

test.each(['', 'x', '$argon2id$v=19$m=8,t=1,p=1$AAAA', '$2b$10$abcdefghijklmnopqrstuv'])(
  'the stored text "%s" is no hash and verifies no password',
  async (storedHash) => {
    expect(await passwords.verify(password, storedHash)).toBe(false)
  },
)

test('no password is verified without an account, and the check derives one hash as a check with one', async () => {
  const hash = await passwords.hash('another password')
  expect(await passwords.verify(password, null)).toBe(false)
  const derive = vi.spyOn(ConcurrencyLimit.prototype, 'run')
  for (const storedHash of [hash, null]) {
    derive.mockClear()
    expect(await passwords.verify(password, storedHash)).toBe(false)
    expect(derive).toHaveBeenCalledOnce()
  }
  derive.mockRestore()
})

test('more passwords than the queue takes are refused, and later ones are hashed again', async () => {
  const cheapPasswords = new PasswordHasher({ memory: 64, passes: 1, parallelism: 1 })
  const max = maxPasswordHashes + maxQueuedPasswordHashes
  const results = await Promise.allSettled(
    Array.from({ length: max + 3 }, () => cheapPasswords.hash(password)),
  )
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  expect(failures).toHaveLength(3)
  for (const failure of failures) expect(failure).toMatchObject({ code: 'sign_in_busy', retryAfter: 2 })
  const hash = await cheapPasswords.hash(password)
  expect(await cheapPasswords.verify(password, hash)).toBe(true)
})

test('an unknown account whose first check met a full queue is checked again later', async () => {
  const cheapPasswords = new PasswordHasher({ memory: 64, passes: 1, parallelism: 1 })
  const max = maxPasswordHashes + maxQueuedPasswordHashes
  const hashes = Array.from({ length: max }, () => cheapPasswords.hash(password))
  await expect(cheapPasswords.verify(password, null)).rejects.toMatchObject({ code: 'sign_in_busy' })
  await Promise.all(hashes)
  expect(await cheapPasswords.verify(password, null)).toBe(false)
})
