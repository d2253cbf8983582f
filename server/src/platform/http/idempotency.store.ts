import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'
import type { Job } from '../jobs/jobs.ts'
import { retentionJob } from '../jobs/retention.ts'
import type { Seal } from '../security/seal.ts'

const table = 'idempotency_keys'

/** Days for which a repeat is known as one. */
const keptDays = 1
/** Seconds after which a request that gave no sign of life is over. */
const leaseSeconds = 30
/** Milliseconds between two signs of life. */
export const renewEvery = 10_000

export interface KeyRow {
  id: number
  fingerprint: Buffer
  row_id: number | null
  status: number | null
  answer: string | null
  leased: boolean
}

const leased = sql.raw(`now() + interval '${leaseSeconds} seconds'`)

export async function findRow(db: Db, hash: Buffer): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select id, fingerprint, row_id, status, answer, leased_until > now() as leased
    from idempotency_keys where key_hash = ${hash}`.execute(db)
  return rows[0]
}

/** Null where another has the key; while that one's transaction is open, it is waited for. */
export async function claimRow(db: Db, hash: Buffer, fingerprint: Buffer): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into idempotency_keys (key_hash, fingerprint, leased_until) values (${hash}, ${fingerprint}, ${leased})
    on conflict (key_hash) do nothing returning id`.execute(db)
  return rows[0]?.id ?? null
}

/** Takes up what was cut off; false where another was quicker. */
export async function takeOver(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`
    update idempotency_keys set leased_until = ${leased}
    where id = ${id} and answer is null and leased_until <= now() returning id`.execute(db)
  return rows.length === 1
}

export async function renewLease(db: Db, id: number): Promise<void> {
  await sql`update idempotency_keys set leased_until = ${leased} where id = ${id} and answer is null`.execute(
    db,
  )
}

/** Keeps an answer in the transaction that it tells of. */
export async function keepText(trx: Db, id: number, status: number, answer: string): Promise<void> {
  await sql`update idempotency_keys set status = ${status}, answer = ${answer} where id = ${id}`.execute(trx)
}

/** Keeps an answer afterwards; the first one stands. */
export async function storeText(db: Db, id: number, status: number, answer: string): Promise<void> {
  await sql`update idempotency_keys set status = ${status}, answer = ${answer}
    where id = ${id} and answer is null`.execute(db)
}

/** Ends a request that failed: `forget` where it may be done anew, as nothing of it has to be known. */
export async function leave(db: Db, id: number, forget: boolean): Promise<void> {
  if (forget) {
    await sql`delete from idempotency_keys where id = ${id} and answer is null and row_id is null`.execute(db)
  }
  await sql`update idempotency_keys set leased_until = now() where id = ${id} and answer is null`.execute(db)
}

/** The row that was made under the key; `insert` makes it where there is none. */
export async function noteRow(trx: Db, id: number, insert: () => Promise<number>): Promise<number> {
  const { rows } = await sql<{ row_id: number | null }>`
    select row_id from idempotency_keys where id = ${id} for update`.execute(trx)
  const made = rows[0]?.row_id ?? null
  if (made !== null) return made
  const row = await insert()
  await sql`update idempotency_keys set row_id = ${row} where id = ${id}`.execute(trx)
  return row
}

/** Seals and opens the answer of one row; null where no key of this installation opens it any more. */
export function sealOf(seal: Seal, row: number) {
  const place = { table, row, column: 'answer' }
  return {
    seal: (text: string) => seal.seal(text, place),
    open: (sealed: string): string | null => {
      try {
        return seal.open(sealed, place)
      } catch {
        return null
      }
    },
  }
}

/** Forgets keys that are old enough. */
export const keysJob = (db: Db): Job => retentionJob(db, { table, at: 'created_at', days: keptDays })
