import { postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'
import { checkUrls } from '../kit/url-fields.ts'

export function postbackTemplatesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, postbackTemplates, {
    columns: async ({ body }) => {
      checkUrls(deps.outgoing, postbackTemplates, body)
      return {}
    },
  })
}
