import { describeMessage, type MessageDescription } from '@karvon/contract/lib/field-messages.ts'
import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import type { NetworkAccount } from '../../integrations/cpa-network/cpa-network.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Encryption } from '../../platform/security/encryption.ts'
import {
  findDescription,
  readCredentialRow,
  type CredentialRow,
  type Website,
} from './connectors.account.queries.ts'
import { findDescriptionProblem } from './connectors.check.ts'
import { buildEffectiveDescription } from './connectors.merge.ts'

/** A source credential with its decrypted secrets and the settings of its network. */
export interface NetworkCredential extends Pick<
  CredentialRow,
  'id' | 'name' | 'source_id' | 'user_id' | 'secret_hosts'
> {
  account: NetworkAccount
  website: Website
}

/** Reads a credential, and its source's oldest CPA credential with a connector. Answers null if either is missing. */
export async function readCredential(
  db: Db,
  encryption: Encryption,
  id: number,
): Promise<NetworkCredential | null> {
  const row = await readCredentialRow(db, id)
  if (row === null) return null
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

/** Merges a website's settings into its connector's description. Answers the problem if the result is unusable. */
export async function resolveDescription(
  db: Db,
  website: Website,
): Promise<{ description: ConnectorDescription } | { problem: MessageDescription }> {
  const code = website.connector ?? ''
  const description = await findDescription(db, code)
  if (description === undefined) return { problem: describeMessage('connector_missing', { code }) }
  const effectiveDescription = buildEffectiveDescription(description, website.mapping, website)
  const problem = findDescriptionProblem(effectiveDescription)
  return problem === null
    ? { description: effectiveDescription }
    : { problem: describeMessage('merged_description_invalid', { problem }) }
}
