import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { healthOf } from '../syncs/syncs.health.queries.ts'

/** The hosts that a credential leads to now; null where nothing says how its source is read. */
type CurrentHosts = (trx: Db, id: number) => Promise<string[] | null>

export function sourceCredentialsRoutes(app: FastifyInstance, deps: Deps, currentHosts: CurrentHosts): void {
  crud(app, deps, sourceCredentials, {
    extra: { health: healthOf('source_credential_id') },
    sealed: (changed) => ('token' in changed ? { token_updated_at: sql`now()` } : {}),
    written: async ({ trx, old, id }) => {
      await keepHosts(trx, id, old, await currentHosts(trx, id))
      return undefined
    },
  })
}

/**
 * Keeps which hosts the secrets are for, once they are typed. For other hosts than before all of them are typed: what is
 * left as it was would go along. Errors: 422 naming those that are missing.
 */
async function keepHosts(
  trx: Db,
  id: number,
  old: Record<string, unknown> | null,
  hosts: string[] | null,
): Promise<void> {
  const row = await trx
    .selectFrom('source_credentials')
    .select(['pass', 'api_key', 'token', 'secret_hosts'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const kept = (['pass', 'api_key', 'token'] as const).filter(
    (key) => row[key] !== null && row[key] === old?.[key],
  )
  const typed = (['pass', 'api_key', 'token'] as const).some(
    (key) => row[key] !== null && row[key] !== old?.[key],
  )
  if (!typed) return
  const before = row.secret_hosts
  if (before !== null && hosts?.every((host) => before.includes(host)) === true) return
  // The network gives a token anew at the next sign-in.
  const missing = before === null ? [] : kept.filter((key) => key !== 'token')
  if (missing.length > 0 && hosts !== null) {
    const message = `Type it anew: the stored one is for ${before?.join(', ')} alone.`
    throw invalid(missing.map((field) => ({ field, message })))
  }
  if (missing.length > 0) return
  const dropsToken = before !== null && kept.includes('token')
  await trx
    .updateTable('source_credentials')
    .set({ secret_hosts: hosts, ...(dropsToken && { token: null, token_updated_at: null }) })
    .where('id', '=', id)
    .execute()
}
