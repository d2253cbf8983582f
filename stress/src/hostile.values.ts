import type { Random } from './hostile.random.ts'

/** Texts that have broken parsers, databases and browsers before. */
const words: readonly string[] = [
  '',
  ' ',
  '0',
  '-0',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '\0',
  'a\0b',
  '\uD800',
  'a\uDC00b',
  '\uFEFF\uFFFE\uFFFF',
  '\u202Etxt.exe',
  'e\u0301'.repeat(60),
  'Z̷͎͉̫͐͒a͖̦͙͑l͇͌g̷̰̈o',
  '👩‍👩‍👧‍👦🏴‍☠️'.repeat(8),
  'Ўзбекча Қ'.repeat(20),
  '\r\nset-cookie: a=b',
  '\x1B[2J\x07',
  "'; drop table users; --",
  "' or '1'='1",
  '1; select pg_sleep(9)',
  '$1',
  '%s%n%x',
  '${7*7}{{7*7}}',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  'http://127.0.0.1:1/',
  'http://[::1]:22/',
  'http://169.254.169.254/latest/meta-data/',
  'https://user:pw@127.0.0.1/#a?b',
  'http://',
  'HTTP://\u0000',
  'name@example.com',
  '%',
  '%zz',
  '\\',
  '_%_%',
  '0000-00-00',
  '2026-02-30',
  '9999-12-31',
  '0001-01-01',
  '99999-01-01',
  '2026-11-21T25:61:61Z',
  '2026-11-21T09:42:00+99:99',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59.999999999-12:00',
  '1e400',
  '0x10',
  '١٢٣',
  '+1',
  '1_000',
]

const numbers: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.1,
  0.005,
  1e-320,
  1e308,
  -1e308,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  2 ** 64,
  9_999_999_999_999.99,
  10_000_000_000_000,
  1e21,
]

const lengths = [100, 101, 255, 256, 257, 1000, 2001, 4001, 65_537] as const

/** A text for a place that takes a text. Long ones are rarer, since each byte of them is sent. */
export function hostileText(random: Random): string {
  if (random.chance(0.85)) return random.pick(words)
  if (random.chance(0.9)) return random.pick(['a', 'я', '😀', "'", '\\']).repeat(random.pick(lengths) / 2)
  return 'x'.repeat(600_000)
}

export const hostileNumber = (random: Random): number => random.pick(numbers)

/** Any JSON value at all. */
export function hostileValue(random: Random): unknown {
  const kind = random.below(12)
  if (kind < 5) return hostileText(random)
  if (kind < 8) return hostileNumber(random)
  if (kind === 8) return random.pick([true, false, null])
  if (kind === 9) return random.pick([[], [null], [[[[]]]], Array.from({ length: 1001 }, (_, i) => i)])
  if (kind === 10) return nested(random.pick([5, 33, 200, 5000]), random.chance(0.5))
  return hostileObject(random)
}

function hostileObject(random: Random): unknown {
  const shape = random.below(4)
  if (shape === 0) return {}
  if (shape === 1) return manyKeys(random.pick([50, 2000]))
  if (shape === 2) return { [random.pick(words)]: hostileText(random) }
  return { toString: 1, valueOf: null, hasOwnProperty: 'x', toJSON: {} }
}

const manyKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]))

/** JSON that goes so deep that a recursive reader runs out of stack. */
function nested(depth: number, lists: boolean): unknown {
  let value: unknown = 'deep'
  for (let i = 0; i < depth; i += 1) value = lists ? [value] : { a: value }
  return value
}

/** Texts of JSON that no serialiser makes: prototype keys, repeated keys, numbers that no double holds. */
export const rawJson: readonly string[] = [
  '',
  ' ',
  '{',
  '}',
  '[]',
  'null',
  'true',
  '"text"',
  '1e999',
  '-',
  '{"a":}',
  '{"name":"a","name":"b"}',
  '{"__proto__":{"admin":true},"name":"x"}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a":{"__proto__":null}}',
  '{"name":1e999}',
  '{"id":123456789012345678901234567890}',
  '{"name":"\\ud800"}',
  '{"name":"\\u0000"}',
  "{'name':'x'}",
  '{"name":"x"}garbage',
  '\uFEFF{"name":"x"}',
  '{"name":NaN}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  '{"":""}',
  '//{}',
]

/** Pieces of addresses, encoded as hostile clients encode them. */
export const rawSegments: readonly string[] = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x1',
  '01',
  '+1',
  '%31',
  'abc',
  'NaN',
  'null',
  '%00',
  '%FF%FE',
  '%C0%AF',
  '%ED%A0%80',
  '%',
  '%2',
  '%zz',
  '..',
  '.',
  '%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  '%2F',
  ';a=b',
  '1;select',
  "1'%20or%201=1--",
  '__proto__',
  'constructor',
  '9007199254740991',
  '9007199254740992',
  '9223372036854775807',
  '9223372036854775808',
  '9'.repeat(99),
  '9'.repeat(101),
  'a'.repeat(3000),
  '%F0%9F%98%80',
  '*',
  ':id',
  '{id}',
  '1%0d%0aset-cookie:a=b',
  '1?id=2',
  '1/',
  '1//',
]
