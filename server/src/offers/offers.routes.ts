import { offers } from '@karvon/contract/offers/offers.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'

export function offersRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, offers)
}
