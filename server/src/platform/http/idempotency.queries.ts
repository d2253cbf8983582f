import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'
import type { Job } from '../jobs/jobs.ts'
import { retentionJob } from '../jobs/retention.ts'
import type { Encryption } from '../security/encryption.ts'

const table = 'idempotency_keys'

/** Days for which repeats of a request are recognised. */
const retentionDays = 1
/** Seconds after the last renewal of its lease when a request counts as interrupted. */
const leaseSeconds = 30
/** Milliseconds. */
export const leaseRenewalInterval = 10_000

export interface KeyRow {
  id: number
  fingerprint: Buffer
  row_id: number | null
  status: number | null
  answer: string | null
  is_leased: boolean
}

/** The right of one request to a key. A request that takes it over has another `leased_until`. */
export interface KeyLease {
  id: number
  leased_until: string
}

const leaseEnd = sql.raw(`now() + interval '${leaseSeconds} seconds'`)

export async function findKeyRow(db: Db, hash: Buffer): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select id, fingerprint, row_id, status, answer, leased_until > now() as is_leased
    from idempotency_keys where key_hash = ${hash}`.execute(db)
  return rows[0]
}

/** Inserts the row of a key; null when another request has the key. Waits while that request's transaction is open. */
export async function claimKeyRow(db: Db, hash: Buffer, fingerprint: Buffer): Promise<KeyLease | null> {
  const { rows } = await sql<KeyLease>`
    insert into idempotency_keys (key_hash, fingerprint, leased_until) values (${hash}, ${fingerprint}, ${leaseEnd})
    on conflict (key_hash) do nothing returning id, leased_until`.execute(db)
  return rows[0] ?? null
}

/** Takes over the key of an interrupted request; null when another request was faster. */
export async function acquireExpiredLease(db: Db, id: number): Promise<KeyLease | null> {
  const { rows } = await sql<KeyLease>`
    update idempotency_keys set leased_until = ${leaseEnd}
    where id = ${id} and answer is null and leased_until <= now() returning id, leased_until`.execute(db)
  return rows[0] ?? null
}

/** Null when the key has an answer, or was deleted. */
export async function renewKeyLease(db: Db, id: number): Promise<KeyLease | null> {
  const { rows } = await sql<KeyLease>`
    update idempotency_keys set leased_until = ${leaseEnd}
    where id = ${id} and answer is null returning id, leased_until`.execute(db)
  return rows[0] ?? null
}

export async function updateAnswer(
  trx: Db,
  { id, status, answer }: { id: number; status: number; answer: string },
): Promise<void> {
  await sql`update idempotency_keys set status = ${status}, answer = ${answer} where id = ${id}`.execute(trx)
}

/** Stores an answer, unless one is stored already. */
export async function updateMissingAnswer(
  db: Db,
  { id, status, answer }: { id: number; status: number; answer: string },
): Promise<void> {
  await sql`update idempotency_keys set status = ${status}, answer = ${answer}
    where id = ${id} and answer is null`.execute(db)
}

/**
 * Ends the lease of a failed request, unless another request has taken over the key. With `mayRepeat` deletes the key,
 * unless the request has created a row or has an answer.
 */
export async function releaseKey(db: Db, lease: KeyLease, mayRepeat: boolean): Promise<void> {
  const isOwn = sql`id = ${lease.id} and leased_until = ${lease.leased_until} and answer is null`
  if (mayRepeat) await sql`delete from idempotency_keys where ${isOwn} and row_id is null`.execute(db)
  await sql`update idempotency_keys set leased_until = now() where ${isOwn}`.execute(db)
}

/** Returns the id of the row that an earlier attempt with this key created, or creates it with `insert`. */
export async function insertRowOnce(trx: Db, id: number, insert: () => Promise<number>): Promise<number> {
  const { rows } = await sql<{ row_id: number | null }>`
    select row_id from idempotency_keys where id = ${id} for update`.execute(trx)
  const existingId = rows[0]?.row_id ?? null
  if (existingId !== null) return existingId
  const rowId = await insert()
  await sql`update idempotency_keys set row_id = ${rowId} where id = ${id}`.execute(trx)
  return rowId
}

/** Encrypts and decrypts the answer of one row. `decrypt` returns null when the key ring has no key for it. */
export function createAnswerCipher(encryption: Encryption, row: number) {
  const location = { table, row, column: 'answer' }
  return {
    encrypt: (text: string) => encryption.encrypt(text, location),
    decrypt: (encryptedText: string): string | null => {
      try {
        return encryption.decrypt(encryptedText, location)
      } catch {
        return null
      }
    },
  }
}

export const idempotencyRetentionJob = (db: Db): Job =>
  retentionJob(db, { table, timeColumn: 'created_at', days: retentionDays })
