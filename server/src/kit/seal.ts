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
}

const VERSION = 'v1'
const NONCE = 12
const TAG = 16

/**
 * Seals secrets at rest with the installation's 32-byte key: AES-256-GCM, a data key per value which the
 * installation's key wraps. Form: `v1.<key id>.<wrapped data key>.<value>`, both parts nonce, text and tag
 * in base64url.
 */
export function openSeal(key: Buffer): Seal {
  if (key.length !== 32) throw new Error('KARVON_SECRET_KEY must be 32 bytes')
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return {
    seal(plain, place) {
      const dataKey = randomBytes(32)
      const bound = binding(keyId, place)
      const value = encrypt(dataKey, Buffer.from(plain, 'utf8'), bound)
      return [VERSION, keyId, encrypt(key, dataKey, bound), value].join('.')
    },
    open(sealed, place) {
      const [version, id, wrapped = '', value = ''] = sealed.split('.')
      if (version !== VERSION || id !== keyId) {
        throw new Error(
          `A secret was sealed with key ${id}, this installation has ${keyId}: set KARVON_SECRET_KEY to that key`,
        )
      }
      const bound = binding(keyId, place)
      return decrypt(decrypt(key, wrapped, bound), value, bound).toString('utf8')
    },
  }
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
