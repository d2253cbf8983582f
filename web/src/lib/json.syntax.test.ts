import { expect, test } from 'vitest'
import { findJsonError } from './json.syntax.ts'

const long = Array.from({ length: 300 }, (_, i) => ({ key: i, list: [1.5e-3, null, true, 'ы\n"\\"'] }))

test.each(['{}', ' [ ] ', '{"a":[{"b":-0.5}]}', '"\\u0041\\/"', '1e5', JSON.stringify(long, null, 2)])(
  'valid JSON has no error: %.20s',
  (text) => {
    JSON.parse(text)
    expect(findJsonError(text)).toBeNull()
  },
)

test.each([
  ['{\n  "orders": oops }', 2, 13],
  ['{ "a": 1, }', 1, 11],
  ['{ "a" 1 }', 1, 7],
  ['{ "a": 1\n  "b": 2 }', 2, 3],
  ['{ "a": { "b": [1, 2 }', 1, 21],
  ['{ "a": ', 1, 8],
  ['{} {}', 1, 4],
  ["{ 'a': 1 }", 1, 3],
  ['{ "a": 01 }', 1, 9],
  ['{ "a": "\\x" }', 1, 8],
  ['', 1, 1],
])('%j has its JSON error at line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  expect(findJsonError(text)).toEqual({ line, column })
})

test('too deeply nested JSON has no error position', () => {
  expect(findJsonError('['.repeat(1_000_000))).toBeNull()
})
