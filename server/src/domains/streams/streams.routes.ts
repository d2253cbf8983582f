import { streams } from '@karvon/contract/streams/streams.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'

export function streamsRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, { resource: streams })
}
