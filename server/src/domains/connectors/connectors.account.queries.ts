import { sql } from 'kysely'
import type { NetworkAccount } from '../../integrations/cpa-network/cpa-network.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Addresses } from './connectors.merge.ts'

/** The settings of a network in a CPA credential. */
export interface Website extends Addresses {
  connector: string | null
  mapping: Record<string, unknown> | null
}

/** A source credential with encrypted secrets, and the settings of its network. */
export type CredentialRow = Website & {
  id: number
  name: string
  source_id: number
  user_id: number
  /** The hosts that may receive the secrets; null before the first use. */
  secret_hosts: string[] | null
} & Record<keyof NetworkAccount, string | null>

const websiteColumns = sql.raw(
  `w.connector, w.mapping, w.login_url, w.finance_url, w.orders_url, w.offers_url, w.streams_url,
    w.single_offer_url, w.img_url`,
)

/** The ids of the credentials of active people and active sources that have a CPA credential with a connector. */
export const activeCredentials = sql<{ id: number }>`
  select c.id from source_credentials c
  join cpa_sources s on s.id = c.source_id and s.is_active
  join users u on u.id = c.user_id and u.is_active
  where exists (select 1 from cpa_websites w where w.cpa_source_id = s.id and w.connector is not null)
  order by c.id`

export const findActiveCredentials = async (db: Db): Promise<number[]> =>
  (await activeCredentials.execute(db)).rows.map(({ id }) => id)

/** Reads a credential, and its source's oldest CPA credential with a connector. Answers null if either is missing. */
export async function readCredentialRow(db: Db, id: number): Promise<CredentialRow | null> {
  const { rows } = await sql<CredentialRow>`
    select c.id, c.name, c.source_id, c.user_id, c.login, c.pass, c.api_key, c.token, c.secret_hosts,
      ${websiteColumns}
    from source_credentials c
    join lateral (
      select * from cpa_websites w where w.cpa_source_id = c.source_id and w.connector is not null order by w.id limit 1
    ) w on true
    where c.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Finds the oldest CPA credential with a connector for a source credential; null if there is none. */
export async function findWebsite(db: Db, credentialId: number): Promise<Website | null> {
  const { rows } = await sql<Website>`
    select ${websiteColumns} from cpa_websites w join source_credentials c on c.source_id = w.cpa_source_id
    where c.id = ${credentialId} and w.connector is not null order by w.id limit 1`.execute(db)
  return rows[0] ?? null
}

/** Reads a CPA credential. */
export const readWebsite = (db: Db, id: number) =>
  db.selectFrom('cpa_websites').selectAll().where('id', '=', id).executeTakeFirst()

/** Finds the description of a connector by its code, in any case. */
export async function findDescription(db: Db, code: string) {
  const connector = await db
    .selectFrom('connectors')
    .select('description')
    .where(sql<boolean>`lower(code) = lower(${code})`)
    .executeTakeFirst()
  return connector?.description
}

/** The number of CPA credentials that name a connector, in any case. */
export async function countWebsites(db: Db, code: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from cpa_websites where lower(connector) = lower(${code})`.execute(db)
  return rows[0]?.n ?? 0
}

/** Stores the hosts that may receive the secrets of a credential, if it has none yet. */
export async function saveFirstHosts(db: Db, id: number, hosts: string[]): Promise<void> {
  await db
    .updateTable('source_credentials')
    .set({ secret_hosts: hosts })
    .where('id', '=', id)
    .where('secret_hosts', 'is', null)
    .execute()
}

/** The hosts that may receive the secrets of a credential; null before the first use or without the credential. */
export async function readSecretHosts(db: Db, id: number): Promise<string[] | null> {
  const row = await db
    .selectFrom('source_credentials')
    .select('secret_hosts')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.secret_hosts ?? null
}

/** Stores the encrypted token of a credential. */
export async function updateToken(db: Db, id: number, encryptedToken: string): Promise<void> {
  await db
    .updateTable('source_credentials')
    .set({ token: encryptedToken, token_updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}
