import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createEncryption } from './encryption.ts'

const place = { table: 'source_credentials', row: 5, column: 'token' }

test('an encrypted value decrypts only at its own place, with its key, and unchanged', () => {
  const key = randomBytes(32)
  const seal = createEncryption([key])
  const sealed = seal.encrypt('тайна 🔑', place)
  expect(seal.decrypt(sealed, place)).toBe('тайна 🔑')
  expect(createEncryption([Buffer.from(key)]).decrypt(sealed, place)).toBe('тайна 🔑')
  expect(seal.encrypt('тайна 🔑', place)).not.toBe(sealed)
  for (const other of [
    { ...place, table: 'users' },
    { ...place, row: 6 },
    { ...place, column: 'pass' },
  ]) {
    expect(() => seal.decrypt(sealed, other)).toThrow(/authenticate/)
  }
  expect(() => createEncryption([randomBytes(32)]).decrypt(sealed, place)).toThrow(/KARVON_SECRET_KEY/)
  const parts = sealed.split('.')
  for (let i = 0; i < parts.length; i += 1) {
    const changed = parts.map((part, at) =>
      at === i ? part.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')) : part,
    )
    expect(() => seal.decrypt(changed.join('.'), place), `part ${i}`).toThrow(
      /authenticate|KARVON_SECRET_KEY/,
    )
    expect(() => seal.decrypt(parts.slice(0, i).join('.'), place)).toThrow(/cut short|KARVON_SECRET_KEY/)
  }
})

test('after a rotation the new key encrypts, and the old key still decrypts', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const before = createEncryption([old], () => [fresh, old])
  const sealed = before.encrypt('тайна', place)
  const after = createEncryption([fresh, old])
  expect(after.decrypt(sealed, place)).toBe('тайна')
  expect(after.isEncryptedWithCurrentKey(sealed)).toBe(false)
  const again = after.encrypt('тайна', place)
  expect(after.isEncryptedWithCurrentKey(again)).toBe(true)
  // A process that started before the rotation reads the keys again and then encrypts with the new one.
  expect(before.decrypt(again, place)).toBe('тайна')
  expect(after.isEncryptedWithCurrentKey(before.encrypt('x', place))).toBe(true)
})
