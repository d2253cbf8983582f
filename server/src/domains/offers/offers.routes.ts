import { offers } from '@karvon/contract/offers/offers.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'

export function offersRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, { resource: offers })
}
