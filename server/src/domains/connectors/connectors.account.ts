import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { sql } from 'kysely'
import type { NetworkAccount } from '../../integrations/cpa-network/cpa-network.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Encryption } from '../../platform/security/encryption.ts'
import { findDescriptionProblem, buildEffectiveDescription, type Addresses } from './connectors.merge.ts'

/** The settings of a network in a CPA credential. */
export interface Website extends Addresses {
  connector: string | null
  mapping: Record<string, unknown> | null
}

/** A source credential with its decrypted secrets and the settings of its network. */
export interface NetworkCredential {
  id: number
  name: string
  source_id: number
  user_id: number
  account: NetworkAccount
  /** The hosts that may receive the secrets; null before the first use. */
  secret_hosts: string[] | null
  website: Website
}

const websiteColumns = sql.raw(
  `w.connector, w.mapping, w.login_url, w.finance_url, w.orders_url, w.offers_url, w.streams_url,
    w.single_offer_url, w.img_url`,
)

/** The ids of the credentials of active people and active sources that have a CPA credential with a connector. */
export async function findActiveCredentials(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from source_credentials c
    join cpa_sources s on s.id = c.source_id and s.is_active
    join users u on u.id = c.user_id and u.is_active
    where exists (select 1 from cpa_websites w where w.cpa_source_id = s.id and w.connector is not null)
    order by c.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Reads a credential, and its source's oldest CPA credential with a connector. Answers null if either is missing. */
export async function readCredential(
  db: Db,
  encryption: Encryption,
  id: number,
): Promise<NetworkCredential | null> {
  type Row = Website &
    Omit<NetworkCredential, 'account' | 'website'> &
    Record<keyof NetworkAccount, string | null>
  const { rows } = await sql<Row>`
    select c.id, c.name, c.source_id, c.user_id, c.login, c.pass, c.api_key, c.token, c.secret_hosts,
      ${websiteColumns}
    from source_credentials c
    join lateral (
      select * from cpa_websites w where w.cpa_source_id = c.source_id and w.connector is not null order by w.id limit 1
    ) w on true
    where c.id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const decrypt = (column: 'pass' | 'api_key' | 'token') =>
    row[column] === null
      ? ''
      : encryption.decrypt(row[column], { table: 'source_credentials', row: id, column })
  return {
    id,
    name: row.name,
    source_id: row.source_id,
    user_id: row.user_id,
    secret_hosts: row.secret_hosts,
    account: {
      login: row.login ?? '',
      pass: decrypt('pass'),
      api_key: decrypt('api_key'),
      token: decrypt('token'),
    },
    website: row,
  }
}

/** Finds the oldest CPA credential with a connector for a source credential; null if there is none. */
export async function findWebsite(db: Db, credentialId: number): Promise<Website | null> {
  const { rows } = await sql<Website>`
    select ${websiteColumns} from cpa_websites w join source_credentials c on c.source_id = w.cpa_source_id
    where c.id = ${credentialId} and w.connector is not null order by w.id limit 1`.execute(db)
  return rows[0] ?? null
}

/** Merges a website's settings into its connector's description. Answers the problem if the result is unusable. */
export async function resolveDescription(
  db: Db,
  website: Website,
): Promise<{ description: ConnectorDescription } | { problem: string }> {
  const code = website.connector ?? ''
  const connector = await db
    .selectFrom('connectors')
    .select('description')
    .where(sql<boolean>`lower(code) = lower(${code})`)
    .executeTakeFirst()
  if (connector === undefined) return { problem: `There is no connector "${code}".` }
  const effective = buildEffectiveDescription(connector.description, website.mapping, website)
  const problem = findDescriptionProblem(effective)
  return problem === null ? { description: effective } : { problem: `${problem}.` }
}
