import { hkdfSync } from 'node:crypto'
export type Environment = Readonly<Record<string, string | undefined>>

/** Everything that is wrong with the environment, one line each with its remedy. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(
      ['Karvon cannot start with these settings:', ...problems.map((problem) => `  - ${problem}`)].join('\n'),
    )
    this.name = 'ConfigError'
  }
}

/**
 * Takes settings from the environment and collects what is wrong with them. An empty value is an absent
 * one. A value that is a secret never stands in a problem's text.
 */
export class Reader {
  readonly #env: Environment
  readonly #problems: string[] = []

  constructor(env: Environment) {
    this.#env = env
  }

  /** Throws a {@link ConfigError} where anything was wrong. */
  finish(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems)
  }

  text(name: string, max = 1000): string | undefined {
    const value = this.#env[name]?.trim()
    if (value === undefined || value === '') return undefined
    if (value.length > max) this.#wrong(`${name} is too long: give at most ${max} characters.`)
    return value
  }

  secret(name: string, max: number): string | undefined {
    const value = this.#env[name]
    if (value === undefined || value === '') return undefined
    if (value.length > max) this.#wrong(`${name} must have at most ${max} characters.`)
    return value
  }

  integer(name: string, usual: number, min: number, max: number): number {
    const value = this.text(name)
    if (value === undefined) return usual
    const number = /^\d{1,9}$/.test(value) ? Number(value) : -1
    if (number >= min && number <= max) return number
    this.#wrong(
      `${name} is ${show(value)}: give a whole number from ${min} to ${max}, or leave it out for ${usual}.`,
    )
    return usual
  }

  /** The first choice is the default. */
  choice<const C extends readonly [string, ...string[]]>(name: string, choices: C): C[number] {
    const value = this.text(name)?.toLowerCase()
    const chosen = choices.find((choice) => choice === value)
    if (value !== undefined && chosen === undefined) {
      this.#wrong(
        `${name} is ${show(value)}: use ${[...new Set(choices)].join(', ')}, or leave it out for ${choices[0]}.`,
      )
    }
    return chosen ?? choices[0]
  }

  /** `needed`: the setting that cannot do without this one. */
  matching(name: string, pattern: RegExp, wanted: string, needed?: string): string | undefined {
    const value = this.text(name)
    if (value !== undefined && pattern.test(value)) return value
    if (value !== undefined) this.#wrong(`${name} must be ${wanted}.`)
    else if (needed !== undefined) this.#wrong(`${name} is needed for ${needed}: give ${wanted}.`)
    return undefined
  }

  /** Entries apart by commas or spaces. */
  list(name: string, pattern: RegExp, wanted: string): string[] {
    const entries = (this.text(name, 10_000) ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
    for (const entry of entries) {
      if (!pattern.test(entry)) this.#wrong(`${name} holds ${show(entry)}: give ${wanted}, apart by commas.`)
    }
    return entries
  }

  timeZone(name: string, usual: string): string {
    const value = this.text(name) ?? usual
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
    } catch {
      this.#wrong(`${name} is ${show(value)}: give an IANA time zone, such as Asia/Tashkent.`)
      return usual
    }
  }

  httpAddress(name: string): string | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const url = URL.parse(value)
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return value.replace(/\/+$/, '')
    this.#wrong(`${name} must be an address that starts with https:// or http://.`)
    return undefined
  }

  databaseUrl(name: string): string | undefined {
    const value = this.text(name)
    if (value === undefined || /^postgres(ql)?:\/\//.test(value)) return value
    this.#wrong(
      `${name} must look like postgresql://user:password@host:5432/database, or be left out for the built-in PostgreSQL.`,
    )
    return undefined
  }

  /** 32 bytes in hexadecimal or base64; a passphrase of 16 characters or more is stretched to as many. */
  key(name: string): Buffer | undefined {
    const value = this.text(name)
    return value === undefined ? undefined : this.#keyOf(name, value)
  }

  /** Keys as {@link key} reads them, with commas between them. */
  keys(name: string): Buffer[] {
    const values = (this.text(name) ?? '').split(',').filter((value) => value.trim() !== '')
    return values.flatMap((value) => this.#keyOf(name, value.trim()) ?? [])
  }

  #keyOf(name: string, value: string): Buffer | undefined {
    const bytes = /^[\da-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64')
    if (bytes.length === 32) return bytes
    if (value.length >= 16) return Buffer.from(hkdfSync('sha256', value, '', 'karvon secret key', 32))
    this.#wrong(`${name} is too short: make 32 bytes with "openssl rand -base64 32".`)
    return undefined
  }

  #wrong(problem: string): void {
    this.#problems.push(problem)
  }
}

const show = (value: string) => JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
