import fc from 'fast-check'

/** Texts that often break parsers, databases and browsers. */
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

/** The value in a share of the requests. A failing request is shrunk to undefined first. */
export const inPercent = <T>(percent: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 100 - percent, arbitrary: fc.constant(undefined) },
    { weight: percent, arbitrary: value },
  )

/** A text of many equal characters. A failing text is shrunk to one character first. */
export const repeatedText = (counts: readonly number[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('a', 'я', '😀', "'", '\\'),
      fc.oneof(
        { withCrossShrink: true },
        { weight: 1, arbitrary: fc.constant(1) },
        { weight: 9, arbitrary: fc.constantFrom(...counts) },
      ),
    )
    .map(([character, count]) => character.repeat(count))

/** Any character, including halves of surrogate pairs. fast-check's own unit needs a second to start. */
const anyCharacter = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code))

/** A hostile text. Long texts are rare, because each byte is sent. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 160, arbitrary: fc.constantFrom(...words) },
  { weight: 10, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 27, arbitrary: repeatedText(lengths.map((length) => Math.floor(length / 2))) },
  { weight: 3, arbitrary: fc.constant('x'.repeat(600_000)) },
)

export const hostileNumber: fc.Arbitrary<number> = fc.constantFrom(...numbers)

const manyKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]))

const hostileObject: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant({}),
  fc.constantFrom(manyKeys(50), manyKeys(2000)),
  fc.tuple(fc.constantFrom(...words), hostileText).map(([name, text]) => ({ [name]: text })),
  fc.constant({ toString: 1, valueOf: null, hasOwnProperty: 'x', toJSON: {} }),
)

/** JSON that is nested so deeply that a recursive parser exceeds its stack. */
function buildNested(depth: number, isList: boolean): unknown {
  let value: unknown = 'deep'
  for (let i = 0; i < depth; i += 1) value = isList ? [value] : { a: value }
  return value
}

const nestedValues = [5, 33, 200, 5000].flatMap((depth) => [
  buildNested(depth, true),
  buildNested(depth, false),
])

/** Any JSON value. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileNumber },
  { weight: 1, arbitrary: fc.constantFrom(true, false, null) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown[]>(
      [],
      [null],
      [[[[]]]],
      Array.from({ length: 1001 }, (_, i) => i),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...nestedValues) },
  { weight: 1, arbitrary: hostileObject },
)

/** JSON texts that no serializer writes: prototype keys, repeated keys, numbers beyond a double. */
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

/** Segments of paths, as hostile clients encode them. */
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
