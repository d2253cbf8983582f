import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openSeal } from './seal.ts'

const place = { table: 'source_credentials', row: 5, column: 'token' }

test('a sealed value opens where it was sealed, with its key, unchanged, and nowhere else', () => {
  const key = randomBytes(32)
  const seal = openSeal([key])
  const sealed = seal.seal('тайна 🔑', place)
  expect(seal.open(sealed, place)).toBe('тайна 🔑')
  expect(openSeal([Buffer.from(key)]).open(sealed, place)).toBe('тайна 🔑')
  expect(seal.seal('тайна 🔑', place)).not.toBe(sealed)
  for (const other of [
    { ...place, table: 'users' },
    { ...place, row: 6 },
    { ...place, column: 'pass' },
  ]) {
    expect(() => seal.open(sealed, other)).toThrow(/authenticate/)
  }
  expect(() => openSeal([randomBytes(32)]).open(sealed, place)).toThrow(/KARVON_SECRET_KEY/)
  const parts = sealed.split('.')
  for (let i = 0; i < parts.length; i += 1) {
    const changed = parts.map((part, at) =>
      at === i ? part.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')) : part,
    )
    expect(() => seal.open(changed.join('.'), place), `part ${i}`).toThrow(/authenticate|KARVON_SECRET_KEY/)
    expect(() => seal.open(parts.slice(0, i).join('.'), place)).toThrow(/cut short|KARVON_SECRET_KEY/)
  }
})

test('after a rotation the new key seals, and the old one still opens what it sealed', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const before = openSeal([old], () => [fresh, old])
  const sealed = before.seal('тайна', place)
  const after = openSeal([fresh, old])
  expect(after.open(sealed, place)).toBe('тайна')
  expect(after.isCurrent(sealed)).toBe(false)
  const again = after.seal('тайна', place)
  expect(after.isCurrent(again)).toBe(true)
  // A process that started before the rotation asks for the keys anew, and seals with the new one from then on.
  expect(before.open(again, place)).toBe('тайна')
  expect(after.isCurrent(before.seal('x', place))).toBe(true)
})
