import type { Field, Fields } from '@karvon/contract/lib/field.ts'
import { readable } from '@karvon/contract/lib/resource.ts'
import type { Seal } from '../platform/security/seal.ts'

type Row = Record<string, unknown>

/** Characters that a person sees of a long token, and at most of any other secret. */
const shownCharacters = { token: 20, other: 4 } as const
const hidden = '…'

/** What a person sees of a secret; never all of it. */
function maskOf(plain: string, shown: Field['shown']): string {
  const characters = Array.from(plain)
  const { length } = characters
  const long = shown === 'start' && length > shownCharacters.token
  const count = long ? shownCharacters.token : Math.min(Math.floor(length / 4), shownCharacters.other)
  return `${characters.slice(0, count).join('')}${hidden}`
}

const secretKeys = (entries: [string, Field][]) =>
  entries.flatMap(([key, field]) => (field.kind === 'secret' ? [key] : []))

/** Sealing and masking of a resource's secret fields; nothing to do where it has none. */
export class Secrets {
  readonly #seal: Seal
  readonly #table: string
  readonly #fields: Fields
  readonly #keys: string[]
  readonly #shown: string[]

  constructor(seal: Seal, table: string, fields: Fields) {
    this.#seal = seal
    this.#table = table
    this.#fields = fields
    this.#keys = secretKeys(Object.entries(fields))
    this.#shown = secretKeys(readable(fields))
  }

  /** For lists and single rows; undefined where no row needs a look. */
  get present(): ((row: Row) => Row) | undefined {
    return this.#shown.length === 0 ? undefined : (row) => this.#masked(row)
  }

  /** Sealed values of the secrets that the body changes; null empties one. `old` is the stored row. */
  sealed(body: Row, id: number, old: Row | null): Row {
    const changed: Row = {}
    for (const key of this.#keys) {
      const value = body[key]
      if (typeof value !== 'string') continue
      if (old !== null && value === this.#mask(old[key], id, key)) continue
      changed[key] = this.#seal.seal(value, { table: this.#table, row: id, column: key })
    }
    return changed
  }

  #masked(row: Row): Row {
    const masked = { ...row }
    for (const key of this.#shown) masked[key] = this.#mask(row[key], Number(row.id), key)
    return masked
  }

  #mask(stored: unknown, id: number, key: string): string | null {
    if (typeof stored !== 'string') return null
    try {
      const plain = this.#seal.open(stored, { table: this.#table, row: id, column: key })
      return maskOf(plain, this.#fields[key]?.shown)
    } catch {
      // Sealed with a key that this installation no longer has: there, but not to be read.
      return hidden
    }
  }
}
