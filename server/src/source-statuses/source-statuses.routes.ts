import { sourceStatuses } from '@karvon/contract/source-statuses/source-statuses.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'

export function sourceStatusesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, sourceStatuses)
}
