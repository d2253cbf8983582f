import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { maxJsonBytes } from '@karvon/contract/kit/limits.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'
import { invalid } from '../kit/errors.ts'
import { addressProblem, checkUrls } from '../kit/url-fields.ts'

export function cpaWebsitesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, cpaWebsites, {
    columns: async ({ body }) => {
      checkUrls(deps.outgoing, cpaWebsites, body)
      if (Buffer.byteLength(JSON.stringify(body.mapping ?? null)) > maxJsonBytes) {
        throw invalid([{ field: 'mapping', message: 'Mapping must have at most 64 kB' }])
      }
      const problem = addressProblem(deps.outgoing, body.mapping ?? {})
      if (problem !== null) throw invalid([{ field: 'mapping', message: `Mapping: ${problem}` }])
      return {}
    },
  })
}
