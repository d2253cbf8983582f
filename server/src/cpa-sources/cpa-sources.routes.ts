import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'

export function cpaSourcesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, cpaSources)
}
