import { createHmac } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** An authenticator app. Its only input is the base32 secret on the screen. */
export class Authenticator {
  readonly #key: Buffer
  #last = 0

  constructor(secret: string) {
    const bits = Array.from(secret, (letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
    this.#key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
  }

  /** The present code, or the next one if it was used, because a server accepts each once. */
  next(): string {
    this.#last = Math.max(Math.floor(Date.now() / 30_000), this.#last + 1)
    const counter = Buffer.from(this.#last.toString(16).padStart(16, '0'), 'hex')
    const mac = createHmac('sha1', this.#key).update(counter).digest()
    const offset = (mac.at(-1) ?? 0) % 16
    return String((mac.readUInt32BE(offset) % 2 ** 31) % 1_000_000).padStart(6, '0')
  }
}
