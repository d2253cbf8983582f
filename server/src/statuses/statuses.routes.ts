import { statuses } from '@karvon/contract/statuses/statuses.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'

export function statusesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, statuses)
}
