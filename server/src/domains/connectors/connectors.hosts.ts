import { listUrls, type ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import type { Db } from '../../platform/database/pool.ts'
import { getOrigins } from '../../platform/security/secret-hosts.ts'
import { resolveDescription, findWebsite } from './connectors.account.ts'

/** The hosts that receive an account's secrets. The host of images gets none. */
const listSecretHosts = (description: ConnectorDescription): string[] =>
  getOrigins([...listUrls(description)].flatMap(([at, url]) => (at === 'images_url' ? [] : [url])))

/** The hosts that a source credential is used with now; null without a usable description. */
export async function findCurrentHosts(db: Db, id: number): Promise<string[] | null> {
  const website = await findWebsite(db, id)
  if (website === null) return null
  const resolved = await resolveDescription(db, website)
  return 'problem' in resolved ? null : listSecretHosts(resolved.description)
}

/**
 * The hosts that may receive a credential's secrets. These are its hosts at the time when the secrets were typed, or at
 * the first use. A host that is set later must not receive secrets that were typed for another host.
 */
export async function findAllowedHosts(
  db: Db,
  { id, secret_hosts }: { id: number; secret_hosts: string[] | null },
): Promise<string[]> {
  if (secret_hosts !== null) return secret_hosts
  const hosts = await findCurrentHosts(db, id)
  if (hosts === null) return []
  await db
    .updateTable('source_credentials')
    .set({ secret_hosts: hosts })
    .where('id', '=', id)
    .where('secret_hosts', 'is', null)
    .execute()
  const row = await db
    .selectFrom('source_credentials')
    .select('secret_hosts')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.secret_hosts ?? []
}

/** The reason why the stored secrets must not be sent to a description's hosts; null if they may. */
export function findHostProblem(
  allowed: readonly string[],
  description: ConnectorDescription,
): string | null {
  const others = listSecretHosts(description).filter((host) => !allowed.includes(host))
  if (others.length === 0) return null
  const known = allowed.length === 0 ? 'no host yet' : `${allowed.join(', ')} alone`
  return `The stored secrets are for ${known}. Type them anew to send them to ${others.join(', ')}.`
}
