import { randomBytes } from 'node:crypto'

/**
 * Secrets that are known again wherever they turn up: in clear, in base64 whatever stands before them, and in hex. They
 * are of letters and digits alone, so that nothing that escapes a text changes them.
 */
export class Canaries {
  readonly #forms = new Map<string, string[]>()

  /** A new one. `shown` stands before it and may be seen. */
  make(name: string, shown = ''): string {
    const core = `Kanareyka${randomBytes(9).toString('hex')}`
    this.watch(name, core)
    return shown + core
  }

  /** A secret that somebody else has made. */
  watch(name: string, secret: string): void {
    const bytes = Buffer.from(secret)
    const based = [0, 1, 2].map((before) => basedAfter(bytes, before))
    const hex = bytes.toString('hex')
    this.#forms.set(name, [secret, ...based, ...based.map(urlSafe), hex, hex.toUpperCase()])
  }

  /** The names of those that a text holds. */
  in(text: string): string[] {
    return [...this.#forms].flatMap(([name, forms]) =>
      forms.some((form) => text.includes(form)) ? [name] : [],
    )
  }
}

/** What of the base64 of these bytes stays the same with so many bytes before them, whatever comes after. */
function basedAfter(bytes: Buffer, before: number): string {
  const whole = Buffer.concat([Buffer.alloc(before), bytes])
  const from = Math.ceil((before * 8) / 6)
  return whole.toString('base64').slice(from, Math.floor((whole.length * 8) / 6))
}

const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')
