import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { maxJsonBytes } from '@karvon/contract/lib/limits.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { findDescriptionUrlProblem, refuseForbiddenUrls } from '../../resources/url-fields.ts'

export function cpaWebsitesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, cpaWebsites, {
    computeColumns: async ({ body }) => {
      refuseForbiddenUrls(deps.outgoing, cpaWebsites, body)
      if (Buffer.byteLength(JSON.stringify(body.mapping ?? null)) > maxJsonBytes) {
        throw invalid([{ field: 'mapping', message: 'Mapping must have at most 64 kB' }])
      }
      const problem = findDescriptionUrlProblem(deps.outgoing, body.mapping ?? {})
      if (problem !== null) throw invalid([{ field: 'mapping', message: `Mapping: ${problem}` }])
      return {}
    },
  })
}
