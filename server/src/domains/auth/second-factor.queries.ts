import { hash, randomBytes } from 'node:crypto'
import { recoveryCodeCount } from '@karvon/contract/auth/second-factor.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { SecretLocation, Encryption } from '../../platform/security/encryption.ts'
import { encodeBase32, findCounter, createSecret } from './second-factor.totp.ts'

/** The encrypted columns, for the rotation of the key. */
export const encryptedSecondFactors = { table: 'second_factors', columns: ['secret'] } as const

const getSecretLocation = (userId: number): SecretLocation => ({
  table: 'second_factors',
  row: userId,
  column: 'secret',
})

/**
 * Locks the row of a person and answers whether their second factor is on. Until the end of the transaction, no other
 * transaction can change the second factor.
 */
export async function lockSecondFactor(trx: Db, userId: number): Promise<boolean> {
  const person = await trx
    .selectFrom('users')
    .select('second_factor')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return person?.second_factor ?? false
}

/** Stores a new secret of a person whose second factor is not on yet, and answers the secret. Replaces an older one. */
export async function savePendingSecret(trx: Db, encryption: Encryption, userId: number): Promise<string> {
  const secretText = createSecret()
  const secret = encryption.encrypt(secretText, getSecretLocation(userId))
  await trx
    .insertInto('second_factors')
    .values({ id: userId, secret })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ secret, last_counter: 0, created_at: sql`now()` }),
    )
    .execute()
  return secretText
}

/**
 * Checks a code of a person's authenticator app. A correct code, and every older one, is refused from then on. The
 * person's row must be locked.
 */
export async function consumeAppCode(
  trx: Db,
  encryption: Encryption,
  { userId, code }: { userId: number; code: string },
): Promise<boolean> {
  const factor = await trx
    .selectFrom('second_factors')
    .select(['secret', 'last_counter'])
    .select(sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`.as('moment'))
    .where('id', '=', userId)
    .executeTakeFirst()
  if (factor === undefined) return false
  const secret = encryption.decrypt(factor.secret, getSecretLocation(userId))
  const counter = findCounter(normalizeCode(code), {
    secret,
    last: factor.last_counter,
    moment: factor.moment,
  })
  if (counter === null) return false
  await trx.updateTable('second_factors').set({ last_counter: counter }).where('id', '=', userId).execute()
  return true
}

/** Checks a code of the app or a recovery code. A used recovery code is deleted and noted in the audit log. */
export async function consumeCode(
  trx: Db,
  encryption: Encryption,
  { userId, code }: { userId: number; code: string },
): Promise<boolean> {
  if (await consumeAppCode(trx, encryption, { userId, code })) return true
  const deletion = await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where(sql<boolean>`code_hash = sha256(salt || convert_to(${normalizeCode(code)}, 'UTF8'))`)
    .executeTakeFirst()
  if (deletion.numDeletedRows === 0n) return false
  const codesLeft = await countRecoveryCodes(trx, userId)
  const before = { recovery_codes_left: codesLeft + 1 }
  await audit(trx, {
    person: { userId },
    action: 'update',
    resource: 'profile',
    rowId: userId,
    before,
    after: { recovery_codes_left: codesLeft },
  })
  return true
}

/** Replaces the recovery codes and answers the new ones. The database stores their hashes only. */
export async function replaceRecoveryCodes(trx: Db, userId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, createRecoveryCode)
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await trx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, ...hashCode(code) })))
    .execute()
  return codes
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const { remaining } = await db
    .selectFrom('recovery_codes')
    .select((e) => e.fn.countAll<number>().as('remaining'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return remaining
}

export async function enableSecondFactor(trx: Db, userId: number): Promise<void> {
  await trx.updateTable('users').set({ second_factor: true }).where('id', '=', userId).execute()
}

/** Removes a second factor and its secret. Answers whether it was on. */
export async function disableSecondFactor(trx: Db, userId: number): Promise<boolean> {
  const isOn = await lockSecondFactor(trx, userId)
  await trx.updateTable('users').set({ second_factor: false }).where('id', '=', userId).execute()
  await trx.deleteFrom('second_factors').where('id', '=', userId).execute()
  return isOn
}

/** 80 bits, in four groups of four letters. */
const createRecoveryCode = () => encodeBase32(randomBytes(10)).replaceAll(/(.{4})(?=.)/g, '$1-')

/** Removes the spaces and dashes of any kind that people add for readability, and what they copy together with a code. */
const normalizeCode = (code: string) => code.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()

function hashCode(code: string): { salt: Buffer; code_hash: Buffer } {
  const salt = randomBytes(16)
  return {
    salt,
    code_hash: hash('sha256', Buffer.concat([salt, Buffer.from(normalizeCode(code))]), 'buffer'),
  }
}
