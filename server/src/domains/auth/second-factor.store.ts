import { hash, randomBytes } from 'node:crypto'
import { recoveryCodeCount } from '@karvon/contract/auth/second-factor.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Place, Seal } from '../../platform/security/seal.ts'
import { base32, counterOf, newSecret } from './second-factor.totp.ts'

/** What is sealed here, for a rotation of the key. */
export const sealedSecondFactors = { table: 'second_factors', columns: ['secret'] } as const

const placeOf = (userId: number): Place => ({ table: 'second_factors', row: userId, column: 'secret' })

/**
 * Whether a person's second factor is on. Locks their row, so that what follows in the transaction sees all that
 * anybody did to it before, and nobody does anything meanwhile.
 */
export async function lockedSecondFactor(trx: Db, userId: number): Promise<boolean> {
  const person = await trx
    .selectFrom('users')
    .select('second_factor')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return person?.second_factor ?? false
}

/** Keeps a new secret for a person whose second factor is not on yet, in place of one before; answers it. */
export async function offerSecret(trx: Db, seal: Seal, userId: number): Promise<string> {
  const plain = newSecret()
  const secret = seal.seal(plain, placeOf(userId))
  await trx
    .insertInto('second_factors')
    .values({ id: userId, secret })
    .onConflict((on) => on.column('id').doUpdateSet({ secret, last_counter: 0, created_at: sql`now()` }))
    .execute()
  return plain
}

/**
 * Takes a code of a person's authenticator app, so that neither it nor an older one is taken again. The person's row
 * must be locked.
 */
export async function takeAppCode(trx: Db, seal: Seal, userId: number, code: string): Promise<boolean> {
  const kept = await trx
    .selectFrom('second_factors')
    .select(['secret', 'last_counter'])
    .select(sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`.as('moment'))
    .where('id', '=', userId)
    .executeTakeFirst()
  if (kept === undefined) return false
  const secret = seal.open(kept.secret, placeOf(userId))
  const counter = counterOf(bare(code), secret, kept.last_counter, kept.moment)
  if (counter === null) return false
  await trx.updateTable('second_factors').set({ last_counter: counter }).where('id', '=', userId).execute()
  return true
}

/** As {@link takeAppCode}, or takes a recovery code, which is gone with that and noted in the audit log. */
export async function takeCode(trx: Db, seal: Seal, userId: number, code: string): Promise<boolean> {
  if (await takeAppCode(trx, seal, userId, code)) return true
  const gone = await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where(sql<boolean>`code_hash = sha256(salt || convert_to(${bare(code)}, 'UTF8'))`)
    .executeTakeFirst()
  if (gone.numDeletedRows === 0n) return false
  const left = await recoveryCodesLeft(trx, userId)
  const before = { recovery_codes_left: left + 1 }
  await audit(trx, { userId }, 'update', 'profile', userId, before, { recovery_codes_left: left })
  return true
}

/** Makes recovery codes in place of those before, and answers them: here they are in clear for the last time. */
export async function renewRecovery(trx: Db, userId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await trx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, ...salted(code) })))
    .execute()
  return codes
}

export async function recoveryCodesLeft(db: Db, userId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((e) => e.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return left
}

export async function turnOn(trx: Db, userId: number): Promise<void> {
  await trx.updateTable('users').set({ second_factor: true }).where('id', '=', userId).execute()
}

/** Takes a second factor off, with its secret and recovery codes; whether it was on. */
export async function turnOff(trx: Db, userId: number): Promise<boolean> {
  const on = await lockedSecondFactor(trx, userId)
  await trx.updateTable('users').set({ second_factor: false }).where('id', '=', userId).execute()
  await trx.deleteFrom('second_factors').where('id', '=', userId).execute()
  return on
}

/** 80 bits, in four groups of four letters. */
const newRecoveryCode = () => base32(randomBytes(10)).replaceAll(/(.{4})(?=.)/g, '$1-')

/** Spaces and dashes help to read; no code has any. */
const bare = (code: string) => code.replaceAll(/[\s-]/g, '').toUpperCase()

function salted(code: string): { salt: Buffer; code_hash: Buffer } {
  const salt = randomBytes(16)
  return { salt, code_hash: hash('sha256', Buffer.concat([salt, Buffer.from(bare(code))]), 'buffer') }
}
