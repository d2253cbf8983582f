import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// RFC 6238 with the parameters of all authenticator apps: SHA-1, 6 digits, 30 seconds.
const stepMilliseconds = 30_000
const digits = 6
/** Steps by which the clock of the app may differ, in both directions. */
const maxDriftSteps = 1
const secretBytes = 20
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret, as base32 without padding. */
export const createSecret = (): string => encodeBase32(randomBytes(secretBytes))

/** The URI that an authenticator app reads from a QR code. */
export const buildOtpauthUri = (secret: string, username: string): string =>
  `otpauth://totp/${encodeURIComponent(`Karvon:${username}`)}?${new URLSearchParams({ secret, issuer: 'Karvon' }).toString()}`

/** The number of steps since 1970 at a time in milliseconds. */
export const getCounter = (moment: number): number => Math.floor(moment / stepMilliseconds)

/** The code of one step. */
export function createCode(secret: string, counter: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', decodeBase32(secret)).update(message).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7f_ff_ff_ff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Finds the step of a code near the time `moment` (milliseconds) and after the step `last`; null if the code is wrong. */
export function findCounter(
  code: string,
  { secret, last, moment }: { secret: string; last: number; moment: number },
): number | null {
  const now = getCounter(moment)
  let matchingCounter: number | null = null
  for (let counter = now - maxDriftSteps; counter <= now + maxDriftSteps; counter += 1) {
    const expected = Buffer.from(createCode(secret, counter))
    const codeBytes = Buffer.from(code)
    if (codeBytes.length === expected.length && timingSafeEqual(codeBytes, expected) && counter > last)
      matchingCounter ??= counter
  }
  return matchingCounter
}

/** Encodes bytes as base32 without padding. The number of bits must be a multiple of 5. */
export const encodeBase32 = (bytes: Buffer): string =>
  regroupBits(bytes, 8, 5)
    .map((five) => alphabet[five])
    .join('')

const decodeBase32 = (secret: string): Buffer =>
  Buffer.from(
    regroupBits(
      Array.from(secret, (letter) => alphabet.indexOf(letter)),
      5,
      8,
    ),
  )

/** Regroups bits into numbers of another width. Both widths must divide the number of bits. */
function regroupBits(pieces: Iterable<number>, from: number, to: number): number[] {
  const groups: number[] = []
  let pendingBits = 0
  let bits = 0
  for (const piece of pieces) {
    pendingBits = (pendingBits << from) | piece
    bits += from
    while (bits >= to) {
      bits -= to
      groups.push(pendingBits >> bits)
      pendingBits &= (1 << bits) - 1
    }
  }
  return groups
}
