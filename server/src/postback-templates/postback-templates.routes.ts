import { postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'

export function postbackTemplatesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, postbackTemplates)
}
