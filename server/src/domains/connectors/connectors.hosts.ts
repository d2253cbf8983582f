import { addressesIn, type ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import type { Db } from '../../platform/database/pool.ts'
import { originsOf } from '../../platform/security/secret-hosts.ts'
import { describe, websiteOf } from './connectors.account.ts'

/** The hosts that a description sends an account's secrets to. Images are only shown. */
const hostsOf = (description: ConnectorDescription): string[] =>
  originsOf([...addressesIn(description)].flatMap(([at, url]) => (at === 'images_url' ? [] : [url])))

/** The hosts that a source credential leads to now; null where nothing says how to read it. */
export async function currentHosts(db: Db, id: number): Promise<string[] | null> {
  const website = await websiteOf(db, id)
  if (website === null) return null
  const described = await describe(db, website)
  return 'problem' in described ? null : hostsOf(described.description)
}

/**
 * The hosts that a credential's secrets may go to. They are those that it led to when its secrets were typed, or when it
 * was first used: whoever sets another host later must not receive what was typed for the one before.
 */
export async function allowedHosts(
  db: Db,
  { id, secret_hosts }: { id: number; secret_hosts: string[] | null },
): Promise<string[]> {
  if (secret_hosts !== null) return secret_hosts
  const hosts = await currentHosts(db, id)
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

/** Why the stored secrets must not be sent where a description leads; null where they may. */
export function hostProblem(allowed: readonly string[], description: ConnectorDescription): string | null {
  const others = hostsOf(description).filter((host) => !allowed.includes(host))
  if (others.length === 0) return null
  const known = allowed.length === 0 ? 'no host yet' : `${allowed.join(', ')} alone`
  return `The stored secrets are for ${known}. Type them anew to send them to ${others.join(', ')}.`
}
