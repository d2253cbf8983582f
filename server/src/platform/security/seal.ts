import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Where a secret stands; bound into the seal, so that a sealed value opens nowhere else. */
export interface Place {
  table: string
  row: number
  column: string
}

export interface Seal {
  seal(plain: string, place: Place): string
  /** Throws when the value was sealed elsewhere, with another key, or was changed. */
  open(sealed: string, place: Place): string
  /** Whether the key that seals now has sealed it. */
  isCurrent(sealed: string): boolean
}

const VERSION = 'v1'
const NONCE = 12
const TAG = 16

/**
 * Seals secrets at rest with the installation's 32-byte keys: AES-256-GCM, a data key per value which the
 * installation's key wraps. Form: `v1.<key id>.<wrapped data key>.<value>`, both parts nonce, text and tag
 * in base64url.
 *
 * The first key seals, all of them open. `reload` gives the keys anew: it is asked when a value turns up whose
 * key is not known, as after a rotation by another process.
 */
export function openSeal(keys: readonly Buffer[], reload: () => readonly Buffer[] = () => []): Seal {
  let known = ringOf(keys)
  let asked = Number.NEGATIVE_INFINITY
  const keyOf = (id: string): Buffer | undefined => {
    if (known.has(id) || performance.now() - asked < reloadEvery) return known.get(id)
    asked = performance.now()
    const fresh = ringOf(reload())
    if (fresh.has(id)) known = fresh
    return known.get(id)
  }
  const current = () => {
    for (const [id, key] of known) return { id, key }
    throw new Error('There is no key to seal with')
  }
  return {
    seal(plain, place) {
      const { id, key } = current()
      const dataKey = randomBytes(32)
      const bound = binding(id, place)
      const value = encrypt(dataKey, Buffer.from(plain, 'utf8'), bound)
      return [VERSION, id, encrypt(key, dataKey, bound), value].join('.')
    },
    open(sealed, place) {
      const [version, id = '', wrapped = '', value = ''] = sealed.split('.')
      const key = version === VERSION ? keyOf(id) : undefined
      if (key === undefined) {
        throw new Error(
          `A secret was sealed with key ${id}, this installation has ${[...known.keys()].join(', ')}: ` +
            'name that key in KARVON_SECRET_KEY_OLD, or set KARVON_SECRET_KEY to it',
        )
      }
      const bound = binding(id, place)
      return decrypt(decrypt(key, wrapped, bound), value, bound).toString('utf8')
    },
    isCurrent: (sealed) => sealed.split('.')[1] === current().id,
  }
}

/** Milliseconds between two looks for keys that are not known. */
const reloadEvery = 1000

/** Keys by their ids, in order. */
function ringOf(keys: readonly Buffer[]): ReadonlyMap<string, Buffer> {
  if (keys.some((key) => key.length !== 32)) throw new Error('KARVON_SECRET_KEY must be 32 bytes')
  return new Map(keys.map((key) => [createHash('sha256').update(key).digest('hex').slice(0, 8), key]))
}

const binding = (keyId: string, { table, row, column }: Place) =>
  Buffer.from([VERSION, keyId, table, row, column].join('/'))

function encrypt(key: Buffer, plain: Buffer, bound: Buffer): string {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  )
}

function decrypt(key: Buffer, sealed: string, bound: Buffer): Buffer {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE + TAG) throw new Error('A sealed secret is cut short')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), {
    authTagLength: TAG,
  }).setAAD(bound)
  decipher.setAuthTag(bytes.subarray(-TAG))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()])
}
