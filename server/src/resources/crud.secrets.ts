import type { Field, Fields } from '@karvon/contract/lib/field.ts'
import { getReadableFields } from '@karvon/contract/lib/resource.ts'
import { trimText } from '@karvon/contract/lib/trim-text.ts'
import type { Encryption } from '../platform/security/encryption.ts'

type Row = Record<string, unknown>

/** Maximum visible characters of a long token and of any other secret. */
const maxShownCharacters = { token: 20, other: 4 } as const
const ellipsis = '…'

/** The visible beginning of a secret; never the whole secret. */
function maskSecret(secret: string, visiblePart: Field['visiblePart']): string {
  const characters = Array.from(secret)
  const { length } = characters
  const long = visiblePart === 'start' && length > maxShownCharacters.token
  const count = long ? maxShownCharacters.token : Math.min(Math.floor(length / 4), maxShownCharacters.other)
  return `${characters.slice(0, count).join('')}${ellipsis}`
}

const listSecretKeys = (entries: [string, Field][]) =>
  entries.flatMap(([key, field]) => (field.kind === 'secret' ? [key] : []))

/** Encrypts and masks the secret fields of a resource. */
export class SecretFields {
  readonly #encryption: Encryption
  readonly #table: string
  readonly #fields: Fields
  readonly #secretKeys: string[]
  readonly #readableKeys: string[]

  constructor(encryption: Encryption, table: string, fields: Fields) {
    this.#encryption = encryption
    this.#table = table
    this.#fields = fields
    this.#secretKeys = listSecretKeys(Object.entries(fields))
    this.#readableKeys = listSecretKeys(getReadableFields(fields))
  }

  /** Masks the secrets of a row of the answer; undefined when the resource has no readable secret. */
  get transformRow(): ((row: Row) => Row) | undefined {
    return this.#readableKeys.length === 0 ? undefined : (row) => this.#masked(row)
  }

  /** Encrypts the secrets that the body changes. An unchanged mask is not a change. `oldRow` is the stored row. */
  encryptChanged(body: Row, id: number, oldRow: Row | null): Row {
    const changedSecrets: Row = {}
    for (const key of this.#secretKeys) {
      const value = body[key]
      if (typeof value !== 'string') continue
      const mask = oldRow === null ? null : this.#mask(oldRow[key], id, key)
      if (mask !== null && [mask, trimText(mask)].includes(value)) continue
      changedSecrets[key] = this.#encryption.encrypt(value, { table: this.#table, row: id, column: key })
    }
    return changedSecrets
  }

  #masked(row: Row): Row {
    const maskedRow = { ...row }
    for (const key of this.#readableKeys) maskedRow[key] = this.#mask(row[key], Number(row.id), key)
    return maskedRow
  }

  #mask(storedSecret: unknown, id: number, key: string): string | null {
    if (typeof storedSecret !== 'string') return null
    try {
      const secret = this.#encryption.decrypt(storedSecret, { table: this.#table, row: id, column: key })
      return maskSecret(secret, this.#fields[key]?.visiblePart)
    } catch {
      // The key ring no longer has the key of this secret: it exists but is unreadable.
      return ellipsis
    }
  }
}
