import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { sql } from 'kysely'
import type { NetworkAccount } from '../../integrations/cpa-network/cpa-network.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Seal } from '../../platform/security/seal.ts'
import { descriptionProblem, effective, type Addresses } from './connectors.merge.ts'

/** What a CPA credential says of a network. */
export interface Website extends Addresses {
  connector: string | null
  mapping: Record<string, unknown> | null
}

/** A source credential with all that it takes to fetch it. */
export interface Fetched {
  id: number
  name: string
  source_id: number
  user_id: number
  account: NetworkAccount
  /** Where the secrets may go; null while they were never used. */
  secret_hosts: string[] | null
  website: Website
}

const websiteColumns = sql.raw(
  `w.connector, w.mapping, w.login_url, w.finance_url, w.orders_url, w.offers_url, w.streams_url,
    w.single_offer_url, w.img_url`,
)

/**
 * Credentials of people and sources that are active, where a CPA credential says how the source is read.
 * SQL of their ids.
 */
export async function activeCredentials(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from source_credentials c
    join cpa_sources s on s.id = c.source_id and s.is_active
    join users u on u.id = c.user_id and u.is_active
    where exists (select 1 from cpa_websites w where w.cpa_source_id = s.id and w.connector is not null)
    order by c.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** A credential with its secrets open and its source's oldest CPA credential that names a connector; null when gone. */
export async function readCredential(db: Db, seal: Seal, id: number): Promise<Fetched | null> {
  type Row = Website & Omit<Fetched, 'account' | 'website'> & Record<keyof NetworkAccount, string | null>
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
  const open = (column: 'pass' | 'api_key' | 'token') =>
    row[column] === null ? '' : seal.open(row[column], { table: 'source_credentials', row: id, column })
  return {
    id,
    name: row.name,
    source_id: row.source_id,
    user_id: row.user_id,
    secret_hosts: row.secret_hosts,
    account: { login: row.login ?? '', pass: open('pass'), api_key: open('api_key'), token: open('token') },
    website: row,
  }
}

/** The CPA credential by which a source credential is read; null where none names a connector. */
export async function websiteOf(db: Db, credentialId: number): Promise<Website | null> {
  const { rows } = await sql<Website>`
    select ${websiteColumns} from cpa_websites w join source_credentials c on c.source_id = w.cpa_source_id
    where c.id = ${credentialId} and w.connector is not null order by w.id limit 1`.execute(db)
  return rows[0] ?? null
}

/** What a website comes to with its connector's description, or why that cannot be used. */
export async function describe(
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
  const whole = effective(connector.description, website.mapping, website)
  const problem = descriptionProblem(whole)
  return problem === null ? { description: whole } : { problem: `${problem}.` }
}
