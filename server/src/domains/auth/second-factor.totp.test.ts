import { expect, test } from 'vitest'
import {
  encodeBase32,
  createCode,
  getCounter,
  findCounter,
  createSecret,
  buildOtpauthUri,
} from './second-factor.totp.ts'

const secret = encodeBase32(Buffer.from('12345678901234567890'))

// The test vectors of RFC 6238, appendix B, SHA-1: the last six of the eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the TOTP code at %i s is %s', (seconds, code) => {
  expect(createCode(secret, getCounter(seconds * 1000))).toBe(code)
})

// The test vectors of RFC 4648, section 10, with a number of bits divisible by five.
test('base32 is encoded as in the standard', () => {
  expect([encodeBase32(Buffer.from('fooba')), encodeBase32(Buffer.from([0, 255, 0, 255, 0]))]).toEqual([
    'MZXW6YTB',
    'AD7QB7YA',
  ])
  expect(createSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(createSecret()).not.toBe(createSecret())
})

test('a code is accepted one step early or late, and only once', () => {
  const moment = 1_700_000_000_000
  const now = getCounter(moment)
  const findAcceptedCounter = (steps: number, last = 0) =>
    findCounter(createCode(secret, now + steps), { secret, last, moment })
  expect([-2, -1, 0, 1, 2].map((steps) => findAcceptedCounter(steps))).toEqual([
    null,
    now - 1,
    now,
    now + 1,
    null,
  ])
  expect([-1, 0, 1].map((steps) => findAcceptedCounter(steps, now))).toEqual([null, null, now + 1])
  for (const no of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
    expect(findCounter(no, { secret, last: 0, moment })).toBeNull()
})

test('the otpauth address names the account and the issuer', () => {
  const uri = new URL(buildOtpauthUri(secret, 'Шахноза & co'))
  expect(uri.href).toMatch(/^otpauth:\/\/totp\//)
  expect(decodeURIComponent(uri.pathname.slice(1))).toContain('Karvon:Шахноза & co')
  expect([uri.searchParams.get('secret'), uri.searchParams.get('issuer')]).toEqual([secret, 'Karvon'])
})
