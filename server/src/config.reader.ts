import { hkdfSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cutText } from '@karvon/contract/lib/cut-text.ts'
import { isCurrency } from '@karvon/contract/lib/money.ts'
import { resolveZoneName } from './config.time-zone.ts'

/** A port in a regular expression. */
export const portPattern = String.raw`(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])`

/** Whether each % of a text is of an encoded character. */
export function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** All problems of the environment, one line each with its remedy. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(
      ['Karvon cannot start with these settings:', ...problems.map((problem) => `  - ${problem}`)].join('\n'),
    )
    this.name = 'ConfigError'
  }
}

/**
 * Reads settings from the environment and collects their problems. An empty value counts as missing. The text of a
 * problem never has the value of a secret.
 */
export class EnvironmentReader {
  readonly #env: Environment
  readonly #problems: string[] = []
  readonly #fileSettings: readonly string[]
  /** The names that were read. */
  readonly #names = new Set<string>()

  /** A setting of `fileSettings` may come from a file, whose path is in `NAME_FILE`. */
  constructor(env: Environment, fileSettings: readonly string[] = []) {
    const fromFiles = fileSettings.flatMap((name) => {
      const value = this.#readFileSetting(env, name)
      return value === undefined ? [] : [[name, value] as const]
    })
    this.#env = { ...env, ...Object.fromEntries(fromFiles) }
    this.#fileSettings = fileSettings
  }

  #read(name: string): string | undefined {
    this.#names.add(name)
    return this.#env[name]
  }

  #readFileSetting(env: Environment, name: string): string | undefined {
    const path = env[`${name}_FILE`]?.trim() || undefined
    if (path === undefined) return undefined
    if (env[name]?.trim()) {
      this.addProblem(`${name} and ${name}_FILE are both set: give one of them.`)
      return undefined
    }
    try {
      const text = readFileSync(path, 'utf8').trim()
      if (text !== '') return text
      this.addProblem(`${name}_FILE names an empty file: ${JSON.stringify(path)}.`)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      this.addProblem(`${name}_FILE names a file that cannot be read (${code}): ${JSON.stringify(path)}.`)
    }
    return undefined
  }

  /** Whether the setting has a value, valid or invalid, or names a file. */
  isSet(name: string): boolean {
    return [name, `${name}_FILE`].some((envName) => (this.#env[envName] ?? '').trim() !== '')
  }

  /**
   * Call it after all settings are read. Returns the names with this prefix that nothing has read, and adds a problem for a file with
   * a setting that cannot come from a file.
   */
  findUnknownNames(prefix: string): string[] {
    const names = Object.keys(this.#env).filter((name) => this.isSet(name) && !this.#names.has(name))
    return names.filter((name) => {
      const setting = name.replace(/_FILE$/, '')
      if (setting === name || !this.#names.has(setting)) return name.startsWith(prefix)
      if (!this.#fileSettings.includes(setting))
        this.addProblem(`${name} has no effect: ${setting} cannot come from a file. Set ${setting} itself.`)
      return false
    })
  }

  /** Throws a {@link ConfigError} when there are problems. */
  throwProblems(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems)
  }

  readText(name: string, max = 1000): string | undefined {
    const value = this.#read(name)?.trim()
    if (value === undefined || value === '') return undefined
    if (value.length > max) this.addProblem(`${name} is too long: give at most ${max} characters.`)
    return value.slice(0, max)
  }

  readSecret(name: string, max: number): string | undefined {
    const value = this.#read(name)
    if (value === undefined || value === '') return undefined
    if (value.length > max) this.addProblem(`${name} must have at most ${max} characters.`)
    // Such as the line break that `echo` adds to a secret. Nobody could enter it.
    if (/\p{Cc}/u.test(value))
      this.addProblem(`${name} has a line break or another control character: remove it.`)
    return value
  }

  readInteger(
    name: string,
    { defaultValue, min, max }: { defaultValue: number; min: number; max: number },
  ): number {
    const value = this.readText(name)
    if (value === undefined) return defaultValue
    const number = /^\d{1,9}$/.test(value) ? Number(value) : -1
    if (number >= min && number <= max) return number
    this.addProblem(
      `${name} is ${quoteValue(value)}: give a whole number from ${min} to ${max}, or leave it out for ${defaultValue}.`,
    )
    return defaultValue
  }

  /** The first choice is the default. */
  readChoice<const C extends readonly [string, ...string[]]>(name: string, choices: C): C[number] {
    const value = this.readText(name)?.toLowerCase()
    const match = choices.find((choice) => choice === value)
    if (value !== undefined && match === undefined) {
      this.addProblem(
        `${name} is ${quoteValue(value)}: use ${[...new Set(choices)].join(', ')}, or leave it out for ${choices[0]}.`,
      )
    }
    return match ?? choices[0]
  }

  /** `neededFor`: the setting that needs this one. */
  readMatching(
    name: string,
    {
      pattern,
      description,
      neededFor,
    }: { pattern: Pick<RegExp, 'test'>; description: string; neededFor?: string | undefined },
  ): string | undefined {
    const value = this.readText(name)
    if (value !== undefined && pattern.test(value)) return value
    if (value !== undefined) this.addProblem(`${name} must be ${description}.`)
    else if (neededFor !== undefined)
      this.addProblem(`${name} is needed for ${neededFor}: give ${description}.`)
    return undefined
  }

  readCurrency(name: string): string | undefined {
    const value = this.readText(name)
    if (value === undefined || isCurrency(value)) return value
    this.addProblem(`${name} must be a currency code of ISO 4217, such as UZS.`)
    return undefined
  }

  /** Entries are separated by commas or spaces. */
  readList(name: string, pattern: Pick<RegExp, 'test'>, description: string): string[] {
    const entries = (this.readText(name, 10_000) ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
    for (const entry of entries) {
      if (!pattern.test(entry))
        this.addProblem(`${name} holds ${quoteValue(entry)}: give ${description}, separated by commas.`)
    }
    return entries
  }

  readTimeZone(name: string, defaultValue: string): string {
    const value = this.readText(name) ?? defaultValue
    try {
      const zone = resolveZoneName(value)
      // PostgreSQL reads +05:00 as five hours west of Greenwich.
      if (zone !== null) return zone
    } catch {
      // An unknown zone has the same problem as an offset.
    }
    this.addProblem(`${name} is ${quoteValue(value)}: give an IANA time zone, such as Asia/Tashkent.`)
    return defaultValue
  }

  readHttpUrl(name: string): string | undefined {
    const value = this.readText(name)
    if (value === undefined) return undefined
    const url = URL.parse(value)
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return value.replace(/\/+$/, '')
    this.addProblem(`${name} must be an address that starts with https:// or http://.`)
    return undefined
  }

  readDatabaseUrl(name: string): string | undefined {
    const value = this.readText(name)
    if (value === undefined || /^postgres(ql)?:\/\//.test(value)) return value
    this.addProblem(
      `${name} must look like postgresql://user:password@host:5432/database, or be left out for the embedded PostgreSQL.`,
    )
    return undefined
  }

  /** 32 bytes in hexadecimal or base64. A passphrase of 16 characters or more is derived to 32 bytes (HKDF). */
  readKey(name: string): Buffer | undefined {
    const value = this.readText(name)
    return value === undefined ? undefined : this.#parseKey(name, value)
  }

  /** Keys as in {@link readKey}, separated by commas. */
  readKeys(name: string): Buffer[] {
    const values = (this.readText(name) ?? '').split(',').filter((value) => value.trim() !== '')
    return values.flatMap((value) => this.#parseKey(name, value.trim()) ?? [])
  }

  #parseKey(name: string, value: string): Buffer | undefined {
    const bytes = /^[\da-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64')
    if (bytes.length === 32) return bytes
    if (value.length >= 16) return Buffer.from(hkdfSync('sha256', value, '', 'karvon secret key', 32))
    this.addProblem(`${name} is too short: make 32 bytes with "openssl rand -base64 32".`)
    return undefined
  }

  /** Adds a problem that concerns several settings. */
  addProblem(problem: string): void {
    this.#problems.push(problem)
  }
}

const quoteValue = (value: string) => JSON.stringify(cutText(value, 60))
