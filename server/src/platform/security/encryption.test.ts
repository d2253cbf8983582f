import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createEncryption } from './encryption.ts'

const location = { table: 'source_credentials', row: 5, column: 'token' }

test('an encrypted value decrypts only at its own location, with its key, and unchanged', () => {
  const key = randomBytes(32)
  const encryption = createEncryption([key])
  const encryptedText = encryption.encrypt('тайна 🔑', location)
  expect(encryption.decrypt(encryptedText, location)).toBe('тайна 🔑')
  expect(createEncryption([Buffer.from(key)]).decrypt(encryptedText, location)).toBe('тайна 🔑')
  expect(encryption.encrypt('тайна 🔑', location)).not.toBe(encryptedText)
  for (const otherLocation of [
    { ...location, table: 'users' },
    { ...location, row: 6 },
    { ...location, column: 'pass' },
  ]) {
    expect(() => encryption.decrypt(encryptedText, otherLocation)).toThrow(/authenticate/)
  }
  expect(() => createEncryption([randomBytes(32)]).decrypt(encryptedText, location)).toThrow(
    /KARVON_SECRET_KEY/,
  )
  const parts = encryptedText.split('.')
  for (let i = 0; i < parts.length; i += 1) {
    const changedParts = parts.map((part, at) =>
      at === i ? part.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')) : part,
    )
    expect(() => encryption.decrypt(changedParts.join('.'), location), `part ${i}`).toThrow(
      /authenticate|KARVON_SECRET_KEY/,
    )
    expect(() => encryption.decrypt(parts.slice(0, i).join('.'), location)).toThrow(
      /too short|KARVON_SECRET_KEY/,
    )
  }
})

test('after a rotation the new key encrypts, and the old key still decrypts', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const before = createEncryption([old], () => [fresh, old])
  const encryptedText = before.encrypt('тайна', location)
  const after = createEncryption([fresh, old])
  expect(after.decrypt(encryptedText, location)).toBe('тайна')
  expect(after.isEncryptedWithCurrentKey(encryptedText)).toBe(false)
  const again = after.encrypt('тайна', location)
  expect(after.isEncryptedWithCurrentKey(again)).toBe(true)
  // A process that started before the rotation reads the keys again and then encrypts with the new one.
  expect(before.decrypt(again, location)).toBe('тайна')
  expect(after.isEncryptedWithCurrentKey(before.encrypt('x', location))).toBe(true)
})
