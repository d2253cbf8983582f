import { createHmac } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A person's authenticator app, which knows of the product only what the screen shows: a secret in base32. */
export class Authenticator {
  readonly #key: Buffer
  #last = 0

  constructor(secret: string) {
    const bits = Array.from(secret, (letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
    this.#key = Buffer.from(bits.match(/.{8}/g)?.map((eight) => Number.parseInt(eight, 2)) ?? [])
  }

  /** The code of now, or of the next half minute where that was shown already: a server takes each once. */
  next(): string {
    this.#last = Math.max(Math.floor(Date.now() / 30_000), this.#last + 1)
    const counter = Buffer.from(this.#last.toString(16).padStart(16, '0'), 'hex')
    const mac = createHmac('sha1', this.#key).update(counter).digest()
    const at = (mac.at(-1) ?? 0) % 16
    return String((mac.readUInt32BE(at) % 2 ** 31) % 1_000_000).padStart(6, '0')
  }
}
