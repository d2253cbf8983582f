import { postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { refuseForbiddenUrls } from '../../resources/url-fields.ts'

export function postbackTemplatesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: postbackTemplates,
    computeColumns: async ({ body }) => {
      refuseForbiddenUrls(deps.outgoing, postbackTemplates, body)
      return {}
    },
  })
}
