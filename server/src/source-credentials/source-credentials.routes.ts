import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'
import { healthOf } from '../kit/syncs/syncs.health.sql.ts'

export function sourceCredentialsRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, sourceCredentials, {
    extra: { health: healthOf('source_credential_id') },
    sealed: (changed) => ('token' in changed ? { token_updated_at: sql`now()` } : {}),
  })
}
