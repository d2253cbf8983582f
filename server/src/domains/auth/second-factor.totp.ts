import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// RFC 6238 as every authenticator app speaks it: SHA-1, 6 digits, 30 seconds.
const step = 30_000
const digits = 6
/** Steps that a clock may be off, either way. */
const window = 1
const secretBytes = 20
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret, as base32 without padding. */
export const newSecret = (): string => base32(randomBytes(secretBytes))

/** What an authenticator app reads from a QR code. */
export const otpauthUri = (secret: string, username: string): string =>
  `otpauth://totp/${encodeURIComponent(`Karvon:${username}`)}?${new URLSearchParams({ secret, issuer: 'Karvon' }).toString()}`

/** The steps since 1970 at a moment in milliseconds. */
export const counterAt = (moment: number): number => Math.floor(moment / step)

/** The code of one step. */
export function codeAt(secret: string, counter: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', bytesOf(secret)).update(message).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7f_ff_ff_ff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step that a code is of, among those around `moment` that lie after `last`; null where it is of none. */
export function counterOf(code: string, secret: string, last: number, moment: number): number | null {
  const now = counterAt(moment)
  let found: number | null = null
  for (let counter = now - window; counter <= now + window; counter += 1) {
    const expected = Buffer.from(codeAt(secret, counter))
    const given = Buffer.from(code)
    if (given.length === expected.length && timingSafeEqual(given, expected) && counter > last)
      found ??= counter
  }
  return found
}

/** Bytes whose bits fives divide, in the letters that people can type. */
export const base32 = (bytes: Buffer): string =>
  regrouped(bytes, 8, 5)
    .map((five) => alphabet[five])
    .join('')

const bytesOf = (secret: string): Buffer =>
  Buffer.from(
    regrouped(
      Array.from(secret, (letter) => alphabet.indexOf(letter)),
      5,
      8,
    ),
  )

/** The same bits in pieces of another width; both widths must divide them. */
function regrouped(pieces: Iterable<number>, from: number, to: number): number[] {
  const made: number[] = []
  let held = 0
  let bits = 0
  for (const piece of pieces) {
    held = (held << from) | piece
    bits += from
    while (bits >= to) {
      bits -= to
      made.push(held >> bits)
      held &= (1 << bits) - 1
    }
  }
  return made
}
