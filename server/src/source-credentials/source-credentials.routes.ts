import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'

export function sourceCredentialsRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, sourceCredentials, {
    sealed: (changed) => ('token' in changed ? { token_updated_at: new Date() } : {}),
  })
}
