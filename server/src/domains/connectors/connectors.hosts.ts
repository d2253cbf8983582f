import { describeMessage, type MessageDescription } from '@karvon/contract/lib/field-messages.ts'
import { listUrls, type ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import type { Db } from '../../platform/database/pool.ts'
import { getOrigins } from '../../platform/security/secret-hosts.ts'
import { resolveDescription } from './connectors.account.ts'
import { findWebsite, readSecretHosts, saveFirstHosts } from './connectors.account.queries.ts'

/** The hosts that receive an account's secrets. The host of images gets none. */
const listSecretHosts = (description: ConnectorDescription): string[] =>
  getOrigins([...listUrls(description)].flatMap(([at, url]) => (at === 'images_url' ? [] : [url])))

async function findCurrentDescription(db: Db, id: number): Promise<ConnectorDescription | null> {
  const website = await findWebsite(db, id)
  if (website === null) return null
  const resolution = await resolveDescription(db, website)
  return 'problem' in resolution ? null : resolution.description
}

/** The hosts that a source credential is used with now; null without a usable description. */
export async function findCurrentHosts(db: Db, id: number): Promise<string[] | null> {
  const description = await findCurrentDescription(db, id)
  return description === null ? null : listSecretHosts(description)
}

/** Whether the network of a source credential issues the token at a sign-in. */
export const isTokenIssued = async (db: Db, id: number): Promise<boolean> =>
  (await findCurrentDescription(db, id))?.sign_in !== undefined

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
  await saveFirstHosts(db, id, hosts)
  return (await readSecretHosts(db, id)) ?? []
}

/** The reason why the stored secrets must not be sent to a description's hosts; null if they may. */
export function findHostProblem(
  allowedHosts: readonly string[],
  description: ConnectorDescription,
): MessageDescription | null {
  const foreignHosts = listSecretHosts(description).filter((host) => !allowedHosts.includes(host))
  if (foreignHosts.length === 0) return null
  const otherHosts = foreignHosts.join(', ')
  return allowedHosts.length === 0
    ? describeMessage('secrets_without_host', { others: otherHosts })
    : describeMessage('secrets_for_other_hosts', { hosts: allowedHosts.join(', '), others: otherHosts })
}
