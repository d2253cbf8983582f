import { randomBytes } from 'node:crypto'

/**
 * Secrets that a test can find anywhere: in plain text, in base64 at any offset, and in hex. They contain only letters
 * and digits, so that escaping does not change them.
 */
export class Canaries {
  readonly #forms = new Map<string, string[]>()

  /** Creates a secret. `visiblePrefix` is a visible prefix. */
  create(name: string, visiblePrefix = ''): string {
    const secret = `Kanareyka${randomBytes(9).toString('hex')}`
    this.add(name, secret)
    return visiblePrefix + secret
  }

  /** Adds an existing secret. */
  add(name: string, secret: string): void {
    const bytes = Buffer.from(secret)
    const base64Forms = [0, 1, 2].map((before) => encodeBase64After(bytes, before))
    const hex = bytes.toString('hex')
    this.#forms.set(name, [secret, ...base64Forms, ...base64Forms.map(toUrlSafe), hex, hex.toUpperCase()])
  }

  /** Names of the secrets in a text. */
  findIn(text: string): string[] {
    return [...this.#forms].flatMap(([name, forms]) =>
      forms.some((form) => text.includes(form)) ? [name] : [],
    )
  }
}

/** The part of the base64 of these bytes that does not depend on the bytes before and after them. */
function encodeBase64After(bytes: Buffer, before: number): string {
  const encodedBytes = Buffer.concat([Buffer.alloc(before), bytes])
  const from = Math.ceil((before * 8) / 6)
  return encodedBytes.toString('base64').slice(from, Math.floor((encodedBytes.length * 8) / 6))
}

const toUrlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')
