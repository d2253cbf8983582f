import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** The value of a column that is set to the time of the transaction. */
export const databaseNow = sql`now()`

/** Reads the encrypted secrets of a source credential, and the hosts that may receive them. */
export const readStoredSecrets = (trx: Db, id: number) =>
  trx
    .selectFrom('source_credentials')
    .select(['pass', 'api_key', 'token', 'secret_hosts'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Stores the hosts that may receive the secrets. `dropsToken` deletes the token. */
export async function storeSecretHosts(
  trx: Db,
  id: number,
  { hosts, dropsToken }: { hosts: string[] | null; dropsToken: boolean },
): Promise<void> {
  await trx
    .updateTable('source_credentials')
    .set({ secret_hosts: hosts, ...(dropsToken && { token: null, token_updated_at: null }) })
    .where('id', '=', id)
    .execute()
}

export async function dropToken(trx: Db, id: number): Promise<void> {
  await trx
    .updateTable('source_credentials')
    .set({ token: null, token_updated_at: null })
    .where('id', '=', id)
    .execute()
}
