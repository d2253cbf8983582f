import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Where a secret is stored. The location is authenticated data, so a value decrypts only at its own location. */
export interface SecretLocation {
  table: string
  row: number
  column: string
}

export interface Encryption {
  encrypt(plain: string, location: SecretLocation): string
  /** Throws when the value belongs to another location, needs an unknown key, or was changed. */
  decrypt(encrypted: string, location: SecretLocation): string
  isEncryptedWithCurrentKey(encrypted: string): boolean
}

const formatVersion = 'v1'
const nonceLength = 12
const tagLength = 16

/**
 * Creates the encryption of secrets at rest for a key ring of 32-byte keys: AES-256-GCM with a data key for each
 * value, which a key of the ring encrypts. Format: `v1.<key id>.<encrypted data key>.<encrypted value>`; the last two
 * are nonce, ciphertext and tag in base64url.
 *
 * The first key encrypts, all keys decrypt. `reload` reads the key ring again. It is called for a value with an
 * unknown key, for example after a rotation by another process.
 */
export function createEncryption(
  keys: readonly Buffer[],
  reload: () => readonly Buffer[] = () => [],
): Encryption {
  let keyRing = buildKeyRing(keys)
  let lastReload = Number.NEGATIVE_INFINITY
  const findKey = (id: string): Buffer | undefined => {
    if (keyRing.has(id) || performance.now() - lastReload < reloadInterval) return keyRing.get(id)
    lastReload = performance.now()
    const newKeyRing = buildKeyRing(reload())
    if (newKeyRing.has(id)) keyRing = newKeyRing
    return keyRing.get(id)
  }
  const getCurrentKey = () => {
    for (const [id, key] of keyRing) return { id, key }
    throw new Error('There is no key to encrypt with')
  }
  return {
    encrypt(plain, location) {
      const { id, key } = getCurrentKey()
      const dataKey = randomBytes(32)
      const authenticatedData = buildAuthenticatedData(id, location)
      const value = encryptBytes(dataKey, Buffer.from(plain, 'utf8'), authenticatedData)
      return [formatVersion, id, encryptBytes(key, dataKey, authenticatedData), value].join('.')
    },
    decrypt(encryptedText, location) {
      const [version, id = '', wrappedKey = '', value = ''] = encryptedText.split('.')
      const key = version === formatVersion ? findKey(id) : undefined
      if (key === undefined) {
        throw new Error(
          `A secret was encrypted with key ${id}, but this installation has ${[...keyRing.keys()].join(', ')}: ` +
            'add that key to KARVON_SECRET_KEY_OLD, or set KARVON_SECRET_KEY to it',
        )
      }
      const authenticatedData = buildAuthenticatedData(id, location)
      return decryptBytes(
        decryptBytes(key, wrappedKey, authenticatedData),
        value,
        authenticatedData,
      ).toString('utf8')
    },
    isEncryptedWithCurrentKey: (encryptedText) => encryptedText.split('.')[1] === getCurrentKey().id,
  }
}

/** Milliseconds between two reloads of the key ring. */
const reloadInterval = 1000

/** Keys by their ids, in the order of the ring. */
function buildKeyRing(keys: readonly Buffer[]): ReadonlyMap<string, Buffer> {
  if (keys.some((key) => key.length !== 32)) throw new Error('KARVON_SECRET_KEY must be 32 bytes')
  return new Map(keys.map((key) => [createHash('sha256').update(key).digest('hex').slice(0, 8), key]))
}

const buildAuthenticatedData = (keyId: string, { table, row, column }: SecretLocation) =>
  Buffer.from([formatVersion, keyId, table, row, column].join('/'))

function encryptBytes(key: Buffer, bytes: Buffer, authenticatedData: Buffer): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticatedData)
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  )
}

function decryptBytes(key: Buffer, encryptedText: string, authenticatedData: Buffer): Buffer {
  const bytes = Buffer.from(encryptedText, 'base64url')
  if (bytes.length < nonceLength + tagLength) throw new Error('An encrypted secret is too short')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  }).setAAD(authenticatedData)
  decipher.setAuthTag(bytes.subarray(-tagLength))
  return Buffer.concat([decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()])
}
