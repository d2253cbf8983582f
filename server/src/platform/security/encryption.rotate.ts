import { getWritableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'
import { formatCount, type Check } from '../database/check.ts'
import { lockKeys } from '../database/lock-keys.ts'
import { getTableName } from '../database/pg-errors.ts'
import type { Encryption } from './encryption.ts'

const batchSize = 200

/** Columns of a table with encrypted values. */
export interface EncryptedColumns {
  table: string
  columns: readonly string[]
}

type EncryptedRow = Record<string, string | null> & { id: number }

/** The encrypted values of rows, each with its place, which is a part of its encryption. */
const listValues = (rows: readonly EncryptedRow[], { table, columns }: EncryptedColumns) =>
  rows.flatMap((row) =>
    columns.flatMap((column) => {
      const value = row[column]
      return typeof value === 'string' ? [{ value, location: { table, row: row.id, column } }] : []
    }),
  )

export const listEncryptedColumns = (resources: readonly Resource[]): EncryptedColumns[] =>
  resources.map((resource) => ({
    table: getTableName(resource),
    columns: getWritableFields(resource.fields).flatMap(([key, { kind }]) =>
      kind === 'secret' ? [key] : [],
    ),
  }))

/** Runs `work` while no other key rotation runs. The lock takes one connection. */
export const withKeyRotationLock = <Result>(db: Db, work: () => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    await sql`select pg_advisory_xact_lock(${lockKeys.keyRotation}::bigint)`.execute(trx)
    return work()
  })

/**
 * Re-encrypts the values of older keys with the current key, in batches, while the product runs. Returns how many
 * values have changed. Throws at the first value that cannot be decrypted; values after it are unchanged.
 */
export async function reencryptSecrets(
  db: Db,
  encryption: Encryption,
  encryptedColumns: readonly EncryptedColumns[],
): Promise<number> {
  let changedCount = 0
  for (const { table, columns } of encryptedColumns) {
    if (columns.length > 0) changedCount += await reencryptTable(db, encryption, { table, columns })
  }
  return changedCount
}

async function reencryptTable(
  db: Db,
  encryption: Encryption,
  { table, columns }: EncryptedColumns,
): Promise<number> {
  let changedCount = 0
  for (let afterId = 0; ;) {
    const lastId = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<EncryptedRow>`
        select id, ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
        where id > ${afterId} order by id limit ${batchSize} for update`.execute(trx)
      for (const { value, location } of listValues(rows, { table, columns })) {
        if (encryption.isEncryptedWithCurrentKey(value)) continue
        const reencryptedValue = encryption.encrypt(encryption.decrypt(value, location), location)
        await sql`update ${sql.table(table)} set ${sql.ref(location.column)} = ${reencryptedValue}
          where id = ${location.row}`.execute(trx)
        changedCount += 1
      }
      return rows.at(-1)?.id
    })
    if (lastId === undefined) return changedCount
    afterId = lastId
  }
}

/** Checks that the key ring decrypts every encrypted value. */
export const createEncryptionCheck = (
  encryption: Encryption,
  encryptedColumns: readonly EncryptedColumns[],
): Check => ({
  name: 'encrypted secrets',
  async run(client) {
    const faults: string[] = []
    let decryptedCount = 0
    for (const { table, columns } of encryptedColumns.filter((entry) => entry.columns.length > 0)) {
      const { rows } = await client.query<EncryptedRow>(
        `select id, ${columns.join(', ')} from ${table} order by id`,
      )
      for (const { value, location } of listValues(rows, { table, columns })) {
        decryptedCount += 1
        const fault = getErrorMessage(() => encryption.decrypt(value, location))
        if (fault !== null)
          faults.push(`${location.column} of row ${location.row} in ${table} cannot be decrypted: ${fault}.`)
      }
    }
    return { summary: formatCount(decryptedCount, 'secret'), faults }
  },
})

/** The reason why the newest value of a column cannot be decrypted; null if all of these values can. */
export async function findUnreadableSecret(
  db: Db,
  encryption: Encryption,
  encryptedColumns: readonly EncryptedColumns[],
): Promise<string | null> {
  for (const { table, columns } of encryptedColumns) {
    for (const column of columns) {
      const { rows } = await sql<EncryptedRow>`
        select id, ${sql.ref(column)} from ${sql.table(table)}
        where ${sql.ref(column)} is not null order by id desc limit 1`.execute(db)
      for (const { value, location } of listValues(rows, { table, columns: [column] })) {
        const fault = getErrorMessage(() => encryption.decrypt(value, location))
        if (fault !== null) return fault
      }
    }
  }
  return null
}

function getErrorMessage(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
